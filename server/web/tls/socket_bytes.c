// OpenSSL's source and sink of bytes, over recv and send.
#include "web/tls/socket_bytes.h"

#include <errno.h>
#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <sys/socket.h>

static int file_of(BIO *bytes) {
    return (int)(intptr_t)BIO_get_data(bytes);
}

static bool is_for_later(void) {
    return errno == EAGAIN || errno == EINTR;
}

static int read_bytes(BIO *bytes, char *out, int length) {
    ssize_t got = recv(file_of(bytes), out, (size_t)length, 0);
    BIO_clear_retry_flags(bytes);
    if (got < 0 && is_for_later()) {
        BIO_set_retry_read(bytes);
    }
    if (got == 0) {
        BIO_set_flags(bytes, BIO_FLAGS_IN_EOF);
    }
    return (int)got;
}

static int write_bytes(BIO *bytes, const char *from, int length) {
    ssize_t put = send(file_of(bytes), from, (size_t)length, MSG_NOSIGNAL);
    BIO_clear_retry_flags(bytes);
    if (put < 0 && is_for_later()) {
        BIO_set_retry_write(bytes);
    }
    return (int)put;
}

static long control(BIO *bytes, int what, long number, void *pointer) {
    (void)number, (void)pointer;
    if (what == BIO_CTRL_EOF) {
        return BIO_test_flags(bytes, BIO_FLAGS_IN_EOF) != 0;
    }
    return what == BIO_CTRL_FLUSH;
}

static BIO_METHOD *method;

static bool make_method(void) {
    if (method == NULL) {
        method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    }
    return method != NULL && BIO_meth_set_read(method, read_bytes) == 1 &&
           BIO_meth_set_write(method, write_bytes) == 1 && BIO_meth_set_ctrl(method, control) == 1;
}

bool web_socket_bytes_attach(SSL *tls, int file) {
    BIO *bytes = make_method() ? BIO_new(method) : NULL;
    if (bytes == NULL) {
        return false;
    }
    BIO_set_data(bytes, (void *)(intptr_t)file);
    BIO_set_init(bytes, 1);
    SSL_set_bio(tls, bytes, bytes);
    return true;
}
