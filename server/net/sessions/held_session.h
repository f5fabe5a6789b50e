// Players whose link broke: held for a while, and resumed by another link.
#pragma once

#include "net/sessions/session_table.h"

// The link of a session is gone, but not its place. @return false where no place is kept.
bool net_session_hold(apex_sessions *sessions, net_session *session);
// Gives the link of `fresh` to the session whose token this is, or expels `fresh`. @return false
// for a token that is nobody's.
bool net_session_resume(apex_sessions *sessions, net_session *fresh,
                        const uint8_t token[APEX_TOKEN_BYTES]);
