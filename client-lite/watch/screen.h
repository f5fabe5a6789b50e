/// The output of `watch`: a frame redrawn in place on a terminal, plain lines elsewhere.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "client-lite/text/text.h"

enum { CLI_SCREEN_EVENTS = 6 };

typedef struct cli_screen {
    bool colours, wide_characters;
    uint32_t drawn; ///< lines of the frame that stands now
    int64_t lights; ///< seconds left by the last LIGHTS event; -1: none yet
    uint64_t go_us; ///< when the lights went out, for showing it a moment
    char events[CLI_SCREEN_EVENTS][CLIENT_EVENT_BYTES]; ///< newest last
    uint32_t event_count;
    uint32_t lap_race, lap_told; ///< the newest lap that a leader has done, and of which race
    const char *server;          ///< "host:port", borrowed
    apex_client_pose *shown;     ///< cars of the frame
    size_t shown_count, shown_capacity;
} cli_screen;

/// @return whether standard output is a terminal on which a frame can be redrawn.
bool cli_screen_moves(void);

cli_screen cli_screen_create(const char *server);
void cli_screen_free(cli_screen *screen);
void cli_screen_event(cli_screen *screen, const apex_client *client,
                      const apex_race_event_message *event, uint64_t now_us);
void cli_screen_note(cli_screen *screen, const char *text);
/// Redraws over the last frame.
void cli_screen_draw(cli_screen *screen, apex_client *client, uint64_t now_us);
/// Takes the frame away, so that what is printed next stands in its place.
void cli_screen_erase(cli_screen *screen);

/// A line for an event that is a lap of the leader: he is the first to complete it.
void cli_screen_lap(cli_screen *screen, const apex_client *client,
                    const apex_race_event_message *event);
/// The state of the race in one line, for logs: phase, clock and the first few.
void cli_screen_summary(FILE *out, const apex_client *client);
/// Header and running order once, without escape sequences unless coloured.
void cli_screen_print(FILE *out, const cli_screen *screen, const apex_client *client);
