// TLS at the door: the certificate in service, and the connections that are served with it.
#pragma once

#include "web/door/connection_gate.h"
#include "web/tls/certificate.h"
#include "web/tls/relay.h"

// Takes a connection that is open: the socket for the server, and the relay behind it. NULL: the
// client speaks HTTP without TLS.
typedef void web_tls_open_fn(apex_web *web, int file, const web_address *address, web_relay *relay);

typedef struct web_tls {
    bool is_on;
    char certificate_path[APEX_WEB_PATH_BYTES], key_path[APEX_WEB_PATH_BYTES];
    web_certificate certificate;
    web_stamp seen[2];                  // of both files, when last read
    int64_t now_unix_s, watched_unix_s; // the latter: when the files were last looked at
    int64_t warned_days;                // that were left when last warned
    web_tls_open_fn *on_open;
    web_gate gate; // counts relays of an address, and its handshakes
    web_relay *first, *last;
    uint32_t count, waiting;
    uint32_t steps;         // of handshakes, in this turn
    uint64_t used_until_us; // the rate of all handshakes
} web_tls;
