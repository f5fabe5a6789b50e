// The intake of sessions' messages.
#pragma once

#include "net/sessions/session_table.h"

void net_session_take_bytes(apex_sessions *sessions, net_session *session,
                            const apex_link_event *event);
