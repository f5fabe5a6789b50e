/// Long messages: encoded on the frame, once for all who are sent them.
#pragma once

#include "host/tick_frame.h"

enum { HOST_LINE_BYTES_MAX = 272, HOST_HEAD_BYTES = 384 };

host_message host_encode_message(const host_frame *frame, const apex_server_message *message,
                                 size_t bytes_max);
/// Nothing for a message without bytes.
void host_send_message(apex_sessions *sessions, const host_client *client,
                       apex_server_message_kind kind, host_message message);
/// A line of the standings or of results.
apex_wire_standing host_wire_line(const host_setup *setup, const apex_standing *line);
