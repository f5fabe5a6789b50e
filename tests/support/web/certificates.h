// Certificates that tests sign themselves, and clients that speak TLS.
#pragma once

#include "support/web/web_rig.h"

// Relative to `now_unix_s`; both files of the pair are written.
typedef struct certificate_def {
    const char *certificate, *key; // paths
    int64_t begins_unix_s, ends_unix_s;
    const char *name; // of whom it is for
} certificate_def;

void certificate_write(const certificate_def *def);

// Lets hands be shaken by a client that has just been opened; what it sends and reads from then on
// goes by TLS. @return false if the gateway would not, or has ended the connection
bool web_client_secure(web_client *client, web_rig *rig, int version_max);
// Begins only: says hello.
void web_client_greet(web_client *client);
// @return whether hands have been shaken.
bool web_client_is_secure(web_client *client);
// The name in the certificate that the gateway showed.
const char *web_client_certificate_name(const web_client *client);
