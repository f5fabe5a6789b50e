// A track's ground that is laid apart from its client, as a page does: the block it comes in, the
// join that waits for it, and the prediction on it.
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "client-lite/client_internal.h"
#include "client-lite/pilot/plans.h"
#include "client-lite/session/handshake/session_welcome.h"
#include "client-lite/session/showing/session_shown.h"
#include "client-lite/tracks/laid.h"
#include "client-lite/tracks/track_cache.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"
#include "support/track/track_scenes.h"

enum { SECOND = 60 };

typedef struct laid_block {
    uint8_t *bytes;
    size_t length;
} laid_block;

static laid_block block_of(const apex_track *track) {
    laid_block block;
    block.bytes =
        client_laid_write(apex_track_ground(track), apex_track_walls(track), &block.length);
    ck_assert_ptr_nonnull(block.bytes);
    return block;
}

static apex_track *laid_circuit(void) {
    apex_track_def def = track_scene_circuit(1500.0);
    apex_track *track = NULL;
    ck_assert_int_eq(apex_track_create(&def, &track, NULL), APEX_OK);
    apex_track_def_free(&def);
    return track;
}

TEST(a_block_holds_the_ground_to_the_bit) {
    apex_track *track = laid_circuit();
    const apex_ground *was = apex_track_ground(track);
    const apex_walls *stood = apex_track_walls(track);
    laid_block block = block_of(track);
    apex_ground ground;
    apex_walls walls;
    ck_assert(client_laid_read(block.bytes, block.length, &ground, &walls));
    ck_assert_uint_eq(ground.tile_count, was->tile_count);
    ck_assert_uint_eq(ground.surface_count, was->surface_count);
    ck_assert_uint_eq(walls.segment_count, stood->segment_count);
    ck_assert_uint_eq(walls.post_count, stood->post_count);
    ck_assert_uint_gt(walls.post_count, 0);
    ck_assert_ptr_ne(ground.tiles, was->tiles);
    ck_assert_mem_eq(ground.tiles, was->tiles, was->tile_count * sizeof *was->tiles);
    ck_assert_mem_eq(ground.directory, was->directory,
                     (size_t)was->width * was->depth * sizeof *was->directory);
    ck_assert_mem_eq(ground.surfaces, was->surfaces, was->surface_count * sizeof *was->surfaces);
    ck_assert_mem_eq(walls.segments, stood->segments,
                     stood->segment_count * sizeof *stood->segments);
    ck_assert_mem_eq(walls.posts, stood->posts, stood->post_count * sizeof *stood->posts);
    ck_assert_mem_eq(walls.materials, stood->materials,
                     stood->material_count * sizeof *stood->materials);
    apex_placement at = apex_track_placement(track, 700.0, 3.0);
    apex_ground_sample here = apex_ground_at(&ground, at.x_m, at.y_m, at.z_m);
    apex_ground_sample there = apex_ground_at(was, at.x_m, at.y_m, at.z_m);
    ck_assert_mem_eq(&here.height_m, &there.height_m, sizeof here.height_m);
    ck_assert_uint_eq(here.surface, there.surface);
    apex_track_destroy(track);
    free(block.bytes);
}

TEST(what_is_no_whole_block_is_refused) {
    apex_track *track = laid_circuit();
    laid_block block = block_of(track);
    apex_ground ground;
    apex_walls walls;
    ck_assert(!client_laid_read(block.bytes, 0, &ground, &walls));
    ck_assert(!client_laid_read(block.bytes, 40, &ground, &walls));
    ck_assert(!client_laid_read(block.bytes, block.length - 8, &ground, &walls));
    memset(block.bytes, 0xff, 64);
    ck_assert(!client_laid_read(block.bytes, block.length, &ground, &walls));
    apex_track_destroy(track);
    free(block.bytes);
}

static race_rig *hosted(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.laps = 5;
    file.race.races = 1;
    file.race.start_players = 1;
    file.race.player_capacity = 4;
    file.race.countdown_s = 1.0;
    race_rig *rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    return rig;
}

static size_t add_waiting(race_rig *rig, const uint8_t *token) {
    apex_client_def def = apex_default_client_def();
    def.name = "ada";
    def.predict = true;
    def.resume_token = token;
    size_t client = race_rig_connect(rig, &def);
    client_session_of(race_rig_client(rig, client))->lays_apart = true;
    race_rig_tick(rig, SECOND);
    return client;
}

static void assert_waits(race_rig *rig, size_t client) {
    apex_client *it = race_rig_client(rig, client);
    ck_assert_str_eq(apex_client_state_name(apex_client_state_of(it)), "loading");
    ck_assert(client_session_awaits_ground(client_session_of(it)));
}

// As the worker does it.
static laid_block lay_for(const apex_client *client) {
    size_t length;
    uint64_t hash;
    const uint8_t *def = apex_client_def_bytes(client, APEX_DEF_TRACK, NULL, &length, &hash);
    ck_assert_ptr_nonnull(def);
    apex_client_tracks *tracks = apex_client_tracks_create();
    apex_def_problem problem;
    const client_laid_track *laid = client_track_cache_lay(tracks, hash, def, length, &problem);
    ck_assert_ptr_nonnull(laid);
    laid_block block;
    block.bytes = client_laid_write(&laid->ground, &laid->walls, &block.length);
    apex_client_tracks_destroy(tracks);
    return block;
}

static void assert_predicts(race_rig *rig, size_t client) {
    apex_client *it = race_rig_client(rig, client);
    ck_assert_str_eq(apex_client_state_name(apex_client_state_of(it)), "driving");
    apex_client_prediction before = apex_client_prediction_of(it);
    race_rig_tick(rig, 3 * SECOND);
    apex_client_prediction prediction = apex_client_prediction_of(it);
    ck_assert_uint_gt(prediction.states, before.states + 50);
    ck_assert_double_lt(prediction.error_m_p99, 0.01);
}

TEST(the_join_waits_and_then_all_is_foretold) {
    race_rig *rig = hosted();
    size_t ada = add_waiting(rig, NULL);
    race_rig_tick(rig, 3 * SECOND); // a slow telephone: the link stays open
    assert_waits(rig, ada);
    ck_assert_uint_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).players, 0);
    laid_block block = lay_for(race_rig_client(rig, ada));
    client_session_take_ground(client_session_of(race_rig_client(rig, ada)), block.bytes,
                               block.length);
    race_rig_pilot(rig, ada);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    assert_predicts(rig, ada);
    race_rig_destroy(rig);
}

// If nobody can lay it, or somebody sends nonsense, it is laid by the call itself.
TEST_OVER(without_a_block_it_lays_by_itself, 0, 2) {
    race_rig *rig = hosted();
    size_t ada = add_waiting(rig, NULL);
    assert_waits(rig, ada);
    uint8_t *nonsense = _i == 0 ? NULL : calloc(1, 100);
    client_session_take_ground(client_session_of(race_rig_client(rig, ada)), nonsense, 100);
    race_rig_pilot(rig, ada);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    assert_predicts(rig, ada);
    race_rig_destroy(rig);
}

TEST(who_comes_back_does_not_wait_again) {
    race_rig *rig = hosted();
    size_t ada = add_waiting(rig, NULL);
    client_session_take_ground(client_session_of(race_rig_client(rig, ada)), NULL, 0);
    laid_block block = lay_for(race_rig_client(rig, ada));
    client_session_take_ground(client_session_of(race_rig_client(rig, ada)), block.bytes,
                               block.length); // twice does no harm
    race_rig_pilot(rig, ada);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    client_session_of(race_rig_client(rig, ada))->lays_apart = true;
    race_rig_break(rig, ada, true);
    race_rig_tick(rig, SECOND);
    race_rig_mend(rig, ada);
    race_rig_tick(rig, 3 * SECOND);
    ck_assert(apex_client_resumed(race_rig_client(rig, ada)));
    assert_predicts(rig, ada);
    race_rig_destroy(rig);
}

// The page was loaded anew: the server says Joined while there is no ground yet.
TEST(an_heir_waits_and_has_the_car_all_the_same) {
    race_rig *rig = hosted();
    size_t ada = add_waiting(rig, NULL);
    client_session_take_ground(client_session_of(race_rig_client(rig, ada)), NULL, 0);
    race_rig_pilot(rig, ada);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    uint32_t player = apex_client_player(race_rig_client(rig, ada));
    uint8_t token[APEX_TOKEN_BYTES];
    memcpy(token, apex_client_welcome(race_rig_client(rig, ada))->resume_token, sizeof token);
    race_rig_cut(rig, ada);
    size_t heir = add_waiting(rig, token);
    assert_waits(rig, heir);
    laid_block block = lay_for(race_rig_client(rig, heir));
    client_session_take_ground(client_session_of(race_rig_client(rig, heir)), block.bytes,
                               block.length);
    race_rig_pilot(rig, heir);
    race_rig_tick(rig, 1);
    ck_assert_uint_eq(apex_client_player(race_rig_client(rig, heir)), player);
    ck_assert(apex_client_resumed(race_rig_client(rig, heir)));
    race_rig_tick(rig, 3 * SECOND); // the time that the server drove is over
    assert_predicts(rig, heir);
    race_rig_destroy(rig);
}

// A process whose clients predict and are driven lays a track once for both.
TEST(a_predictor_and_a_driver_share_the_track) {
    race_rig *rig = hosted();
    client_plans *plans = client_plans_create();
    ck_assert_ptr_nonnull(plans);
    apex_client_tracks *tracks = client_plans_tracks(plans);
    apex_client_def def = apex_default_client_def();
    def.name = "ada";
    def.predict = true;
    def.tracks = tracks;
    apex_client *ada = race_rig_client(rig, race_rig_connect(rig, &def));
    race_rig_tick(rig, SECOND);
    uint64_t hash;
    ck_assert_ptr_nonnull(apex_client_def_bytes(ada, APEX_DEF_TRACK, NULL, NULL, &hash));
    const client_laid_track *laid = client_track_cache_find(tracks, hash);
    ck_assert_ptr_nonnull(laid);
    const char *problem;
    const apex_driver_plan *plan = client_plans_for(plans, ada, NULL, &problem);
    ck_assert_ptr_nonnull(plan);
    ck_assert_ptr_eq(client_plans_track(plans, plan), laid->track);
    ck_assert_ptr_eq(client_track_cache_find(tracks, hash), laid);
    race_rig_destroy(rig);
    client_plans_destroy(plans);
}
