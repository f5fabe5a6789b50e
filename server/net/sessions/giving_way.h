// Sessions that have not joined give way where there is no room for others: those of the household
// that has most of them, who have waited longest. So nobody shuts others out by connections that
// say nothing, or wait in the lobby (DECISIONS 58).
#pragma once

#include "net/sessions/session_table.h"

// Before a link that has opened gets its session: makes room if there is hardly any left, and where
// its household has more waiting than its share.
void net_session_make_room(apex_sessions *sessions, const apex_link_event *opened);
// Before a session is welcomed: one of those in the lobby gives way. @return whether one did.
bool net_session_make_place(apex_sessions *sessions, const net_session *newcomer);
// Likewise, one from its own address.
bool net_session_make_place_at_address(apex_sessions *sessions, const net_session *newcomer);
