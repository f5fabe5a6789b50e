/// The part of a session that feeds what is shown: the own car's predictor and the samples of all.
#pragma once

#include "client-lite/session/state/session_state.h"

/// Once welcomed; forgets what was of an earlier race.
void client_session_begin_showing(client_session *session);
/// Once definitions are here, before the join: laying a track takes its time.
void client_session_lay_track(client_session *session);
/// @return whether the join waits for a track to be laid elsewhere (lays_apart), in LOADING.
bool client_session_awaits_ground(client_session *session);
/// One that was laid elsewhere, if it is one: else there is still none.
void client_session_keep_ground(client_session *session, uint8_t *laid, size_t length);
/// Once joined: makes the predictor, if one is wanted and its definitions are here.
void client_session_begin_predicting(client_session *session);
void client_session_end_predicting(client_session *session);
void client_session_end_showing(client_session *session);
/// A snapshot part, after client_snapshots_take.
void client_session_show_part(client_session *session, const apex_snapshot_message *part,
                              uint64_t now_us);
/// An event of the race, which may be a touch of the own car.
void client_session_tell_touch(client_session *session, const apex_race_event_message *event);
