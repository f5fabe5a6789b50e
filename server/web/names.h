// Which hosts a request may name, and whose pages may open WebSockets and post.
#pragma once

#include <stdbool.h>

#include "head.h"

// Against DNS rebinding: a page from elsewhere whose name was made to lead to this machine is told
// apart by the Host that its browser sends. `address` is what the server listens on; only one that
// cannot be reached from other machines is guarded so, since there every browser is a local one.
// `origins` are the operator's.
bool web_host_is_ours(const web_head *head, const char *address, const char *origins);

// A browser says which page it is that opens a WebSocket or posts; a program says nothing.
bool web_origin_is_ours(const web_head *head, const char *origins);

// "localhost", "127.0.0.1", "::1".
bool web_is_loopback_name(const char *name);
