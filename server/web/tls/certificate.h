// A certificate and its key, read from files and checked before anybody is served with them.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"
#include "web/web.h"

struct ssl_ctx_st;

// What tells one state of a file from the next: a renewal replaces it, or writes it anew.
typedef struct web_stamp {
    ino_t inode;
    off_t bytes;
    struct timespec changed;
} web_stamp;

typedef struct web_certificate {
    struct ssl_ctx_st *context; // owned; what connections are made from
    int64_t begins_unix_s, ends_unix_s;
    bool is_key_exposed; // everybody on this machine may read it
} web_certificate;

web_stamp web_stamp_of(const char *path); // all 0 if there is none
bool web_stamp_is(const web_stamp *a, const web_stamp *b);

// Reads both, PEM, the certificate with the chain behind it. On an error nothing is owned, and
// `why` says which file is wrong and what to do. @param now_unix_s that it has to be good at
apex_err web_certificate_load(const char *certificate, const char *key, int64_t now_unix_s,
                              web_certificate *out, char why[APEX_WEB_WHY_BYTES]);
void web_certificate_free(web_certificate *certificate);
