// The answer to a request that came without TLS to where it is spoken.
#pragma once

#include "web/http/connection.h"

// Leads whoever reads pages to the same address with TLS, and refuses all else: what was to be kept
// from others has been said already.
void web_answer_plain(web_connection *connection);
