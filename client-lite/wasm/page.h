/// A page's client: what it knows, memory to answer with, and what the exported functions do. There
/// is one in each instance of the module, in instance.c.
#pragma once

#include <stddef.h>

#include "base/json_writer.h"
#include "client-lite/client.h"
#include "client-lite/tracks/outline.h"
#include "client-lite/wasm/exports.h"
#include "track/track.h"

enum { PAGE_TOUCHES_MAX = 12 };

typedef struct page_memory {
    uint8_t *bytes;
    size_t capacity;
} page_memory;

/// The status that the page was told last; only to compare.
typedef struct page_status {
    apex_client_state state;
    uint32_t player, car;
    uint32_t rejects;
} page_status;

/// The numbers to which addresses in an outline's text point, until the page has read it.
typedef struct page_drawing {
    client_outline *outline;
    float *heights_m;
    apex_track_def def;
} page_drawing;

typedef struct page_instance {
    apex_client *client; ///< NULL before it has begun
    uint64_t now_us;     ///< the latest that was told
    page_memory input;
    page_memory laid;      ///< a worker's ground, or room for one
    apex_json_writer json; ///< of the text asked for last
    page_status status;
    uint32_t news[PAGE_SUBJECTS];
    const apex_playback_mark *marks; ///< those that were there; only to compare
    double stats[PAGE_STATS];
    double controls[PAGE_CONTROLS];
    apex_client_pose *poses; ///< as many as rows
    double *rows;
    size_t pose_capacity;
    double touches[PAGE_TOUCHES_MAX * PAGE_TOUCH_FIELDS];
    page_drawing drawing;
} page_instance;

/// As the exported functions of their names: life.c.
uint8_t *page_input(page_instance *page, uint32_t bytes);
int page_begin(page_instance *page, uint32_t input_length, uint32_t port, uint32_t wishes);
void page_link_opened(page_instance *page, double now_us);
void page_link_closed(page_instance *page, double now_us);
void page_link_received(page_instance *page, uint32_t length, double now_us);
void page_was_deaf(page_instance *page, double now_us);
void page_update(page_instance *page, double now_us);
void page_leave(page_instance *page, double now_us);
double page_next_try(page_instance *page);
void page_try_now(page_instance *page, double now_us);
uint32_t page_text(page_instance *page, uint32_t subject);
const double *page_stats(page_instance *page);
/// A text in the input, ended by a zero; NULL where there is none.
const char *page_input_text(const page_instance *page, uint32_t length);

/// An apex_client_sign, for a page_instance: identity.c.
bool page_identify(void *context, const apex_client_sign_for *what, apex_identity *out);

/// As the exported functions of their names: ground.c.
uint32_t page_lay_ground(page_instance *page, uint32_t length);
uint32_t page_track_def(page_instance *page);
uint32_t page_awaits_ground(page_instance *page);
uint8_t *page_ground_room(page_instance *page, uint32_t bytes);
void page_take_ground(page_instance *page, uint32_t length, double now_us);

/// As the exported functions of their names: show.c.
uint32_t page_poses(page_instance *page, double now_us);
uint32_t page_told_poses(page_instance *page, double now_us);
uint32_t page_touches(page_instance *page);
uint32_t page_car_shape(page_instance *page, uint32_t name_length);
void page_set_controls(page_instance *page);
void page_play(page_instance *page, uint32_t play, uint32_t speed_permille, uint32_t seek);

/// As the exported functions of their names: write_track.c.
uint32_t page_outline(page_instance *page);
void page_outline_done(page_instance *page);

/// Texts of what the server told, or of what else a subject is.
void page_write_status(apex_json_writer *json, const apex_client *client);
void page_write_welcome(apex_json_writer *json, const apex_welcome *welcome);
void page_write_roster(apex_json_writer *json, const apex_client *client);
void page_write_notices(apex_json_writer *json, const apex_client *client);
void page_write_race_state(apex_json_writer *json, const apex_race_state *state);
void page_write_standings(apex_json_writer *json, const apex_standings *standings);
void page_write_results(apex_json_writer *json, const apex_results *results);
void page_write_events(apex_json_writer *json, const apex_race_event_message events[],
                       size_t count);
void page_write_telemetry(apex_json_writer *json, const apex_telemetry *telemetry);
void page_write_playback(apex_json_writer *json, const apex_playback_state *playback);
void page_write_marks(apex_json_writer *json, const apex_playback_state *playback);
