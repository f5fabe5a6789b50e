// Reading certificates: each fault that a host can make has a sentence of its own, since OpenSSL's
// are for those who know it.
#include "web/tls/certificate.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILE_BYTES_MAX = 256 * 1024,
    CHAIN_MAX = 16,
    TOLD_S = 2, ///< so old the time may be that we are told: one signed just now is good
};

// A file as it is read.
typedef struct pem_file {
    const char *path;
    const char *setting; // that names it
    char *why;
    BIO *bytes;
    struct stat state;
} pem_file;

__attribute__((format(printf, 2, 3))) static apex_err refuse(const pem_file *file,
                                                             const char *format, ...) {
    char text[APEX_WEB_WHY_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    // The end of a long path is what tells it from others.
    size_t length = strlen(file->path);
    const char *path = length > 80 ? file->path + length - 80 : file->path;
    snprintf(file->why, APEX_WEB_WHY_BYTES, "web.%s: %s: %.150s", file->setting, path, text);
    ERR_clear_error();
    return APEX_ERR_INVALID;
}

web_stamp web_stamp_of(const char *path) {
    struct stat state;
    web_stamp stamp = {0};
    if (stat(path, &state) == 0) {
        stamp.inode = state.st_ino;
        stamp.bytes = state.st_size;
        stamp.changed = state.st_mtim;
    }
    return stamp;
}

bool web_stamp_is(const web_stamp *a, const web_stamp *b) {
    return a->inode == b->inode && a->bytes == b->bytes && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

static apex_err take_bytes(pem_file *file, int descriptor) {
    char piece[4096];
    ssize_t got = 0;
    for (size_t length = 0; (got = read(descriptor, piece, sizeof piece)) > 0;) {
        length += (size_t)got;
        if (length > FILE_BYTES_MAX) {
            return refuse(file, "is too long to be a certificate or a key");
        }
        if (BIO_write(file->bytes, piece, (int)got) != got) {
            return APEX_ERR_NO_MEMORY;
        }
    }
    OPENSSL_cleanse(piece, sizeof piece);
    return got == 0 ? APEX_OK : refuse(file, "cannot be read: %s", strerror(errno));
}

static apex_err read_file(pem_file *file) {
    file->bytes = BIO_new(BIO_s_mem());
    if (file->bytes == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    // One that is a pipe would wait for its writer, and the race with it.
    int descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        bool is_closed = errno == EACCES;
        return refuse(file, "cannot be read: %s%s", strerror(errno),
                      is_closed ? "; give the server's user the right to it" : "");
    }
    apex_err err = APEX_ERR_INVALID;
    if (fstat(descriptor, &file->state) != 0 || !S_ISREG(file->state.st_mode)) {
        refuse(file, "is not a file");
    } else {
        err = take_bytes(file, descriptor);
    }
    close(descriptor);
    return err;
}

static void write_day(int64_t unix_s, char out[32]) {
    time_t time = (time_t)unix_s;
    struct tm parts;
    if (gmtime_r(&time, &parts) == NULL || strftime(out, 32, "%Y-%m-%d %H:%M UTC", &parts) == 0) {
        memcpy(out, "?", 2);
    }
}

static int64_t unix_of(const ASN1_TIME *time) {
    struct tm parts;
    return ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : 0;
}

static apex_err check_dates(const pem_file *file, const X509 *leaf, int64_t now_unix_s,
                            web_certificate *out) {
    char day[32];
    out->begins_unix_s = unix_of(X509_get0_notBefore(leaf));
    out->ends_unix_s = unix_of(X509_get0_notAfter(leaf));
    if (now_unix_s >= out->ends_unix_s) {
        write_day(out->ends_unix_s, day);
        return refuse(file, "has expired on %s: renew it", day);
    }
    if (now_unix_s + TOLD_S < out->begins_unix_s) {
        write_day(out->begins_unix_s, day);
        return refuse(file, "is not valid before %s: is this machine's clock right?", day);
    }
    return APEX_OK;
}

// The certificates behind the first lead to one that browsers know.
static apex_err take_chain(const pem_file *file, SSL_CTX *context) {
    for (int count = 0; count < CHAIN_MAX; count++) {
        X509 *next = PEM_read_bio_X509(file->bytes, NULL, NULL, NULL);
        if (next == NULL) {
            bool is_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
            ERR_clear_error();
            return is_end ? APEX_OK
                          : refuse(file,
                                   "certificate %d in it is malformed: take the file "
                                   "anew from who issued it",
                                   count + 2);
        }
        if (SSL_CTX_add0_chain_cert(context, next) != 1) {
            X509_free(next);
            return refuse(file, "certificate %d in it cannot be used: %s", count + 2,
                          ERR_reason_error_string(ERR_peek_last_error()));
        }
    }
    return refuse(file, "has too many certificates");
}

static apex_err take_certificate(pem_file *file, int64_t now_unix_s, web_certificate *out) {
    apex_err err = read_file(file);
    if (err != APEX_OK) {
        return err;
    }
    X509 *leaf = PEM_read_bio_X509(file->bytes, NULL, NULL, NULL);
    if (leaf == NULL) {
        return refuse(file, "is no certificate in PEM (-----BEGIN CERTIFICATE-----); of "
                            "certbot's files it is fullchain.pem");
    }
    err = check_dates(file, leaf, now_unix_s, out);
    if (err == APEX_OK && SSL_CTX_use_certificate(out->context, leaf) != 1) {
        const char *reason = ERR_reason_error_string(ERR_peek_last_error());
        err = refuse(file, "cannot be used: %s", reason != NULL ? reason : "unknown");
    }
    X509_free(leaf);
    return err == APEX_OK ? take_chain(file, out->context) : err;
}

// OpenSSL would ask the terminal for it, and the race would wait.
static int give_no_passphrase(char *out, int bytes, int writes, void *was_asked) {
    (void)out, (void)bytes, (void)writes;
    *(bool *)was_asked = true;
    return -1;
}

static apex_err take_key(pem_file *file, web_certificate *out) {
    apex_err err = read_file(file);
    if (err != APEX_OK) {
        return err;
    }
    bool was_asked = false;
    EVP_PKEY *key = PEM_read_bio_PrivateKey(file->bytes, NULL, give_no_passphrase, &was_asked);
    if (key == NULL) {
        return was_asked ? refuse(file, "has a passphrase: give a key without one, that only "
                                        "the server's user may read")
                         : refuse(file, "is no private key in PEM (-----BEGIN PRIVATE "
                                        "KEY-----); of certbot's files it is privkey.pem");
    }
    if (SSL_CTX_use_PrivateKey(out->context, key) != 1) {
        bool is_other = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH ||
                        ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_TYPE_MISMATCH;
        const char *reason = ERR_reason_error_string(ERR_peek_last_error());
        err = is_other ? refuse(file, "does not belong to the certificate: take both from the "
                                      "same folder")
                       : refuse(file, "cannot be used: %s", reason != NULL ? reason : "unknown");
    }
    out->is_key_exposed = (file->state.st_mode & S_IROTH) != 0;
    EVP_PKEY_free(key);
    return err;
}

// TLS 1.2 with forward secrecy, and 1.3. A second handshake in a connection is work that a
// stranger could ask for without end.
static SSL_CTX *make_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL) {
        return NULL;
    }
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_IGNORE_UNEXPECTED_EOF);
    // A record that is none of ours ends a call, or one stranger's would keep it going.
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    return context;
}

apex_err web_certificate_load(const char *certificate, const char *key, int64_t now_unix_s,
                              web_certificate *out, char why[APEX_WEB_WHY_BYTES]) {
    pem_file first = {.path = certificate, .setting = "certificate", .why = why};
    pem_file second = {.path = key, .setting = "key", .why = why};
    snprintf(why, APEX_WEB_WHY_BYTES, "out of memory");
    ERR_clear_error();
    *out = (web_certificate){.context = make_context()};
    apex_err err = out->context != NULL ? APEX_OK : APEX_ERR_NO_MEMORY;
    if (err == APEX_OK) {
        err = take_certificate(&first, now_unix_s, out);
    }
    if (err == APEX_OK) {
        err = take_key(&second, out);
    }
    BIO_free(first.bytes);
    BIO_free(second.bytes);
    if (err != APEX_OK) {
        web_certificate_free(out);
    } else {
        why[0] = '\0';
    }
    return err;
}

void web_certificate_free(web_certificate *certificate) {
    SSL_CTX_free(certificate->context);
    *certificate = (web_certificate){.context = NULL};
}
