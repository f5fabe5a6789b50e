// TLS in service: from the start to the end of the gateway.
#pragma once

#include "web/tls/tls.h"

// Without a certificate in the definition: nothing. @return as web_certificate_load.
apex_err web_tls_create(apex_web *web, web_tls_open_fn *on_open, char why[APEX_WEB_WHY_BYTES]);
// Closes all relays.
void web_tls_stop(apex_web *web);
void web_tls_free(web_tls *tls);
// Counts a relay of the address. @return false if it, or the gateway, has as many as it may have.
bool web_tls_admit(apex_web *web, const web_address *address);
// Ends what has taken too long.
void web_tls_deadlines(apex_web *web);
