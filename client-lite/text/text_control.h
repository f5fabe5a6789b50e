/// Race control in words: the session that is on, penalties, laps that do not count, and a sentence
/// for each of its events.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"

enum {
    CLIENT_SESSION_BYTES = 192,
    CLIENT_PENALTY_BYTES = 128,
    CLIENT_VOID_BYTES = 160,
    CLIENT_CONTROL_BYTES = 200
};

/// "session 2 of 4: qualifying Q1, 3:12 left, full-course yellow"; "" where there is nothing to
/// say.
void client_text_session(const apex_race_session *session, char out[CLIENT_SESSION_BYTES]);
enum { CLIENT_LENGTH_BYTES = 32 };
/// "3 laps", "by time", or "open session", on a track without a lap.
/// @param session that is on; NULL: none @param laps 0: none are told
void client_text_length(const apex_race_session *session, uint32_t laps,
                        char out[CLIENT_LENGTH_BYTES]);
/// "drive-through for jump start, by lap 4"
void client_text_penalty(const apex_penalty_message *penalty, char out[CLIENT_PENALTY_BYTES]);
/// "cut the track, with another car"; "" for a lap that counts.
void client_text_voids(uint32_t voids, char out[CLIENT_VOID_BYTES]);
/// What stands behind a line of the order: "pits, 2 stops, drive-through by lap 4"; "" mostly.
void client_text_conduct(const apex_client *client, const apex_wire_standing *line,
                         char out[CLIENT_PENALTY_BYTES]);

/// A sentence about an event of the kinds from APEX_WIRE_EVENT_SESSION on.
/// @param name, other of the players that it is about
/// @return false if it is not worth a line.
bool client_text_control(const apex_client *client, const apex_race_event_message *event,
                         const char *name, const char *other, char out[CLIENT_CONTROL_BYTES]);
