// Certificates of elliptic curves, whose keys are made in no time.
#include "support/web/certificates.h"

#include <check.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>

enum { TURNS_MAX = 1000 };

void certificate_write(const certificate_def *def) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    ck_assert(key != NULL && certificate != NULL);
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 7);
    ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)def->begins_unix_s);
    ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)def->ends_unix_s);
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)def->name, -1, -1,
                               0);
    X509_set_issuer_name(certificate, name);
    X509_set_pubkey(certificate, key);
    ck_assert_int_gt(X509_sign(certificate, key, EVP_sha256()), 0);
    FILE *out = fopen(def->certificate, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(PEM_write_X509(out, certificate), 1);
    fclose(out);
    out = fopen(def->key, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(PEM_write_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL), 1);
    fclose(out);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

static void prepare(web_client *client, int version_max) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    ck_assert_ptr_nonnull(context);
    SSL_CTX_set_security_level(context, 0); // or it would not speak 1.1 itself
    SSL_CTX_set_max_proto_version(context, version_max);
    client->tls = SSL_new(context);
    ck_assert_ptr_nonnull(client->tls);
    SSL_CTX_free(context);
    SSL_set_fd(client->tls, client->file);
}

bool web_client_secure(web_client *client, web_rig *rig, int version_max) {
    prepare(client, version_max);
    for (int i = 0; i < TURNS_MAX; i++) {
        int done = SSL_connect(client->tls);
        if (done == 1) {
            web_rig_turn(rig);
            return true;
        }
        if (SSL_get_error(client->tls, done) != SSL_ERROR_WANT_READ) {
            return false;
        }
        web_rig_turn(rig);
    }
    return false;
}

void web_client_greet(web_client *client) {
    prepare(client, 0);
    (void)web_client_is_secure(client);
}

bool web_client_is_secure(web_client *client) {
    return SSL_connect(client->tls) == 1;
}

const char *web_client_certificate_name(const web_client *client) {
    static char name[64];
    X509 *shown = SSL_get1_peer_certificate(client->tls);
    ck_assert_ptr_nonnull(shown);
    X509_NAME_get_text_by_NID(X509_get_subject_name(shown), NID_commonName, name, sizeof name);
    X509_free(shown);
    return name;
}
