// The hosts that a request may name, and those whose pages may open WebSockets and post.
//
// Host is checked against DNS rebinding (DECISIONS 35): a page from outside whose name is made to
// lead here is of our origin as far as its browser knows, but the browser says the name. On
// loopback only loopback's names, web.hosts and the names of web.origins are answered. On other
// addresses every name is until an operator gives web.hosts; then these, those of the origins and
// plain addresses, which no page can be led to.
#pragma once

#include <stdbool.h>

#include "web/door/request_head.h"

// Against DNS rebinding: a page from elsewhere whose name was made to lead to this machine is told
// apart by the Host that its browser sends. `address` is what the server listens on. One that other
// machines cannot reach goes by its own names, `hosts` and those of `origins`; one that they can
// reach by any, unless there are `hosts`: then by these, those of `origins`, and addresses, which
// no page can be led to.
bool web_host_is_ours(const web_head *head, const char *address, const char *hosts,
                      const char *origins);

// A browser says which page it is that opens a WebSocket or posts; a program says nothing.
bool web_origin_is_ours(const web_head *head, const char *origins);

// "localhost", "127.0.0.1", "::1".
bool web_is_loopback_name(const char *name);
