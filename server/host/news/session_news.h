/// The session that is on, as clients are told it.
#pragma once

#include "host/clients/clients.h"
#include "host/news/told_order.h"
#include "host/tick_frame.h"

/// @param told of the order that may be told: nothing that the store has not got is in it
/// @param live as it is: of the same session its clock and its flag are newer
apex_race_session host_session_of(const apex_session_status *told, const apex_session_status *live);
/// Adds the lists of sessions, classes and compounds.
void host_list_sessions(const apex_weekend_def *weekend, apex_race_session *session);

/// @param before as it was captured last, and then as it is now
void host_capture_session(host_frame *frame, const host_told_order *order, const apex_race *race,
                          apex_race_session *before);
void host_tell_session(const host_frame *frame, const host_clients *clients,
                       apex_sessions *sessions);
/// To one who has just come, with the lists.
void host_greet_with_session(const host_frame *frame, const host_client *client,
                             apex_sessions *sessions);
