// Options and figures of a link's connection in the kernel.
#pragma once

#include <stdint.h>

#include "net/net.h"

// A client that reads slowly should have little of ours on its way, so that what comes is new.
void web_tcp_tune(int file);
// The same of a socket that leads to a relay, whose other has been tuned.
void web_pair_tune(int file);
// Limits the bytes that the kernel keeps for a client that reads its answers slowly; of a
// connection that speaks HTTP.
void web_tcp_tune_answers(int file);
uint64_t web_tcp_received_bytes(int file); // since it was opened
bool web_tcp_quality(int file, apex_link_quality *out);
