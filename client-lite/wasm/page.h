/// The state that the exported functions share: this instance's client, and memory to answer with.
#pragma once

#include <stddef.h>

#include "client-lite/client.h"
#include "client-lite/wasm/exports.h"
#include "client-lite/wasm/json.h"

typedef struct page_memory {
    uint8_t *bytes;
    size_t capacity;
} page_memory;

typedef struct page_instance {
    apex_client *client; ///< NULL before it has begun
    uint64_t now_us;     ///< the latest that was told
    page_memory input;
    page_json text;
    uint32_t news[PAGE_SUBJECTS];
    const apex_playback_mark *marks; ///< those that were there; only to compare
    double stats[PAGE_STATS];
    double controls[PAGE_CONTROLS];
    apex_client_pose *poses; ///< as many as rows
    double *rows;
    size_t pose_capacity;
    double own_row[PAGE_POSE_FIELDS];
} page_instance;

extern page_instance page;

/// A text in the input, ended by a zero; NULL where there is none.
const char *page_input_text(uint32_t length);

/// Writes a message of the server, or what else a subject is, into page.text.
void page_write_status(page_json *json);
void page_write_welcome(page_json *json, const apex_welcome *welcome);
void page_write_roster(page_json *json);
void page_write_notices(page_json *json);
void page_write_race_state(page_json *json, const apex_race_state *state);
void page_write_standings(page_json *json, const apex_standings *standings);
void page_write_results(page_json *json, const apex_results *results);
void page_write_events(page_json *json, const apex_race_event_message events[], size_t count);
void page_write_telemetry(page_json *json, const apex_telemetry *telemetry);
void page_write_playback(page_json *json, const apex_playback_state *playback);
void page_write_marks(page_json *json, const apex_playback_state *playback);

/// The link that client.c finds in place of ENet's.
void page_link_note_opened(void);
void page_link_note_closed(void);
void page_link_note_bytes(const uint8_t *bytes, uint32_t length);
