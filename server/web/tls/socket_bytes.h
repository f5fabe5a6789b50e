// A socket as OpenSSL reads and writes it.
#pragma once

#include <stdbool.h>

struct ssl_st;

// Its own way would end the process where a reader of a connection has gone (SIGPIPE).
// @return false: no memory. The socket stays the caller's.
bool web_socket_bytes_attach(struct ssl_st *tls, int file);
