// Who a client is: the driver's key that it proves, and the token of a lobby that it brings
// (DECISIONS 60).
#pragma once

#include "net/sessions/session_outbox.h"
#include "net/sessions/session_table.h"

// The gate of tokens, where lobbies are trusted. @return APEX_ERR_NO_MEMORY.
apex_err net_identity_begin(apex_sessions *sessions);
// Puts into a Welcome what the client is to sign, and what it is asked for.
void net_identity_greet(apex_sessions *sessions, net_session *session, apex_welcome *welcome);
// What costs little: whether such a client may drive, if it is who it says to be.
bool net_identity_may_drive(const apex_sessions *sessions, const apex_identity *identity,
                            net_refusal *why);
// What is dear: checks signatures, within a rate, and notes who it is in `session->who`.
bool net_identity_prove(apex_sessions *sessions, net_session *session,
                        const apex_identity *identity, net_refusal *why);
// Whether the token that it brought, if any, is one for driving.
bool net_identity_may_take_role(const net_session *session, net_refusal *why);
// The name that a token gives instead of the client's own.
void net_identity_name(const net_session *session, char name[APEX_WIRE_NAME_BYTES]);
