// The making of a race from its definition, and its end.
#include "race/race_private.h"

#include "race/event/race_session.h"
#include "race/field/berth.h"
#include "race/race_def_ranges.h"
#include "race/timing/lap_gates.h"

#include "base/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double IDLE_S_MIN = 10.0;

enum { EVENTS_PER_PLAYER_ROOM = 32, EVENTS_PER_CARD_ROOM = 16, EVENT_ROOM = 256 };

// So many come and go in an event, with as many names, before lines of the book are used again.
enum { BOOK_NAMES_PER_SLOT = 2 };

// No car goes round a lap faster than this on the whole; the gaps at the gates of a session by time
// have room for such laps.
static const double LAP_MPS_MAX = 100.0;

apex_race_def apex_default_race_def(void) {
    apex_race_def def = {
        .name = "race",
        .laps = 3,
        .player_capacity = 32,
        .start_players = 2,
        .lobby_s = 30.0,
        .countdown_s = 5.0,
        .finish_wait_s = 60.0,
        .race_s_max = 0.0,
        .results_s = 10.0,
        .stuck_s = 10.0,
        .idle_s = 45.0,
        .reset_wait_s = 3.0,
        .races = 0,
        .late_join = true,
        .reverse_grid = false,
        .world = apex_default_world_def(),
    };
    return def;
}

size_t apex_race_def_check(const apex_race_def *def,
                           apex_race_def_problem out[APEX_RACE_DEF_PROBLEMS_MAX]) {
    const struct {
        bool is_broken;
        apex_race_def_problem problem;
    } rules[APEX_RACE_DEF_PROBLEMS_MAX] = {
        {def->idle_s > 0.0 && def->idle_s < IDLE_S_MIN,
         {"idle_s", "0, or 10 at least: time to take one's hands off the wheel"}},
        {def->start_players > def->player_capacity,
         {"start_players", "more than player_capacity has room for"}},
        {def->world.seed > APEX_RACE_SEED_MAX,
         {"seed", "at most 9007199254740991, which is 2^53 - 1"}},
    };
    size_t count = 0;
    for (size_t i = 0; i < APEX_RACE_DEF_PROBLEMS_MAX; i++) {
        if (rules[i].is_broken) {
            out[count++] = rules[i].problem;
        }
    }
    return count;
}

#define IS_WITHIN(def, member) apex_is_within((def)->member, APEX_RANGE(apex_race_def, member))

static bool ranges_ok(const apex_race_def *def) {
    return IS_WITHIN(def, laps) && IS_WITHIN(def, player_capacity) &&
           IS_WITHIN(def, start_players) && IS_WITHIN(def, lobby_s) &&
           IS_WITHIN(def, countdown_s) && IS_WITHIN(def, finish_wait_s) &&
           IS_WITHIN(def, race_s_max) && IS_WITHIN(def, results_s) && IS_WITHIN(def, stuck_s) &&
           IS_WITHIN(def, idle_s) && IS_WITHIN(def, reset_wait_s) && IS_WITHIN(def, races);
}

// Each ends, and lasts no longer than its times can be written.
static bool sessions_ok(const apex_weekend_def *weekend) {
    if (weekend->session_count > APEX_SESSIONS_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < weekend->session_count; i++) {
        const apex_session_def *session = &weekend->sessions[i];
        const double times_s[] = {session->duration_s, session->overtime_s, session->finish_wait_s,
                                  session->results_s};
        for (size_t k = 0; k < sizeof times_s / sizeof times_s[0]; k++) {
            if (!(times_s[k] >= 0.0 && times_s[k] <= APEX_RACE_SECONDS_MAX)) {
                return false;
            }
        }
        bool ends =
            session->duration_s > 0.0 || (session->kind == APEX_SESSION_RACE && session->laps > 0);
        if ((uint32_t)session->kind > APEX_SESSION_RACE || !ends ||
            session->laps > APEX_RACE_LAPS_MAX || session->feed_count > APEX_SESSION_FEEDS_MAX ||
            session->points_count > APEX_POINTS_PLACES_MAX) {
            return false;
        }
    }
    return true;
}

static bool has_rules(const apex_rules_def *rules) {
    return rules->limits.on || rules->start.on || rules->pits.on || rules->direction.on ||
           rules->blocking.on || rules->blue.on || rules->yellow.on || rules->full_course.on ||
           rules->incidents.on || rules->fault.on || rules->courtesy.lapped ||
           rules->courtesy.joined_s > 0.0;
}

static bool has_cards(const apex_race *race) {
    return race->def.weekend.session_count > 0;
}

// Rules without sessions are those of one race after another.
static void settle_sessions(apex_race_def *def) {
    if (def->weekend.session_count > 0 || def->laps == 0 || !has_rules(&def->weekend.rules)) {
        return;
    }
    apex_session_def race = apex_default_session_def(APEX_SESSION_RACE);
    race.laps = def->laps;
    race.finish_wait_s = def->finish_wait_s;
    race.results_s = def->results_s;
    race.takes_rest = true;
    def->weekend.session_count = 1;
    def->weekend.sessions[0] = race;
}

static bool def_ok(const apex_race_def *def, const apex_track *track, uint32_t car_count) {
    apex_race_def_problem problems[APEX_RACE_DEF_PROBLEMS_MAX];
    return ranges_ok(def) && apex_race_def_check(def, problems) == 0 &&
           apex_track_has_lap(track) == (def->laps > 0) && car_count >= 1 &&
           car_count <= APEX_RACE_CAR_DEFS_MAX && sessions_ok(&def->weekend);
}

static size_t rounded(size_t count, size_t size) {
    size_t bytes = count * size;
    return (bytes + APEX_ARENA_ALIGN - 1) / APEX_ARENA_ALIGN * APEX_ARENA_ALIGN;
}

static size_t pit_boxes(const apex_race *race) {
    return apex_track_pits_of(race->field.track).box_count;
}

static size_t book_lines(const apex_race *race) {
    return BOOK_NAMES_PER_SLOT * (size_t)race->field.capacity;
}

static size_t weekend_bytes(const apex_race *race) {
    size_t n = race->field.capacity;
    size_t bytes = has_cards(race) ? 2 * rounded(n, sizeof *race->field.cards) +
                                         rounded(n, sizeof *race->field.places) +
                                         rounded(n, sizeof *race->field.orders)
                                   : 0;
    size_t sessions = race->def.weekend.session_count;
    if (sessions > 0) {
        bytes += (race->field.rules != NULL ? race_control_bytes(race->field.capacity) : 0) +
                 rounded(n, sizeof *race->timing.crossed) +
                 rounded(2 * n, sizeof *race->timing.facts) +
                 rounded(2 * n, sizeof *race->timing.lines) + rounded(n, sizeof(race_candidate)) +
                 rounded(4 * n, sizeof(uint32_t)) +
                 rounded(book_lines(race), sizeof *race->box_holders) +
                 rounded(1, sizeof *race->event.weekend) +
                 rounded(book_lines(race), sizeof(race_competitor)) +
                 rounded(book_lines(race) * sessions, sizeof(race_outcome));
    }
    return bytes;
}

// Races without sessions and rules pay nothing for them.
static void take_weekend(apex_race *race) {
    apex_arena *arena = &race->arena;
    size_t n = race->field.capacity;
    uint32_t sessions = race->def.weekend.session_count;
    if (has_cards(race)) {
        race->field.cards = apex_arena_alloc_zero(arena, n, sizeof *race->field.cards);
        race->field.kept_cards = apex_arena_alloc_zero(arena, n, sizeof *race->field.kept_cards);
        race->field.places = apex_arena_alloc_zero(arena, n, sizeof *race->field.places);
        race->field.orders = apex_arena_alloc_zero(arena, n, sizeof *race->field.orders);
    }
    if (sessions > 0) {
        race->timing.crossed = apex_arena_alloc_zero(arena, n, sizeof *race->timing.crossed);
        race->timing.facts = apex_arena_alloc_zero(arena, 2 * n, sizeof *race->timing.facts);
        race->timing.lines = apex_arena_alloc_zero(arena, 2 * n, sizeof *race->timing.lines);
        race->box_holders =
            apex_arena_alloc_zero(arena, book_lines(race), sizeof *race->box_holders);
        race->event.weekend = apex_arena_alloc_zero(arena, 1, sizeof *race->event.weekend);
        race_weekend *weekend = race->event.weekend;
        weekend->candidates = apex_arena_alloc_zero(arena, n, sizeof *weekend->candidates);
        weekend->grid_scratch = apex_arena_alloc_zero(arena, 4 * n, sizeof *weekend->grid_scratch);
        race_book *book = &race->event.weekend->book;
        book->session_count = sessions;
        book->capacity = (uint32_t)book_lines(race);
        book->competitors = apex_arena_alloc_zero(arena, book->capacity, sizeof *book->competitors);
        book->outcomes =
            apex_arena_alloc_zero(arena, (size_t)book->capacity * sessions, sizeof *book->outcomes);
    }
}

static size_t arena_bytes(const apex_race *race) {
    size_t n = race->field.capacity;
    return rounded(race->field.car_count, sizeof *race->field.cars) +
           rounded(n, sizeof *race->field.pool.generations) +
           2 * rounded(n, sizeof *race->field.players) +
           rounded(pit_boxes(race), sizeof *race->field.pit_boxes) +
           rounded(n, sizeof *race->field.left) +
           rounded(race->timing.first_count, sizeof *race->timing.first_us) +
           rounded(n, sizeof *race->field.poses) + 2 * rounded(n, sizeof *race->field.used) +
           4 * rounded(n, sizeof *race->field.along) +
           3 * rounded(2 * n, sizeof *race->timing.order) +
           rounded(race->log.capacity, sizeof *race->log.events) +
           rounded(apex_world_save_bytes(race->field.world), 1) + rounded(n, sizeof *race->seen) +
           weekend_bytes(race);
}

static apex_err take_memory(apex_race *race) {
    apex_err err = apex_arena_create(&race->arena, arena_bytes(race));
    if (err != APEX_OK) {
        return err;
    }
    apex_arena *arena = &race->arena;
    size_t n = race->field.capacity;
    race->field.cars =
        apex_arena_alloc_zero(arena, race->field.car_count, sizeof *race->field.cars);
    uint32_t *generations = apex_arena_alloc_zero(arena, n, sizeof *generations);
    race->field.players = apex_arena_alloc_zero(arena, n, sizeof *race->field.players);
    race->field.kept = apex_arena_alloc_zero(arena, n, sizeof *race->field.kept);
    race->field.pit_boxes =
        apex_arena_alloc_zero(arena, pit_boxes(race), sizeof *race->field.pit_boxes);
    race->field.left = apex_arena_alloc_zero(arena, n, sizeof *race->field.left);
    race->timing.first_us =
        apex_arena_alloc_zero(arena, race->timing.first_count, sizeof *race->timing.first_us);
    race->field.poses = apex_arena_alloc_zero(arena, n, sizeof *race->field.poses);
    race->field.used = apex_arena_alloc_zero(arena, n, sizeof *race->field.used);
    race->field.by_car = apex_arena_alloc_zero(arena, n, sizeof *race->field.by_car);
    race->field.slot_of_car = apex_arena_alloc_zero(arena, n, sizeof *race->field.slot_of_car);
    race->field.live = apex_arena_alloc_zero(arena, n, sizeof *race->field.live);
    race->field.along = apex_arena_alloc_zero(arena, n, sizeof *race->field.along);
    race->field.rank_along = apex_arena_alloc_zero(arena, n, sizeof *race->field.rank_along);
    race->timing.order = apex_arena_alloc_zero(arena, 2 * n, sizeof *race->timing.order);
    race->timing.rank = apex_arena_alloc_zero(arena, 2 * n, sizeof *race->timing.rank);
    race->field.scratch = apex_arena_alloc_zero(arena, 2 * n, sizeof *race->field.scratch);
    race->log.events = apex_arena_alloc_zero(arena, race->log.capacity, sizeof *race->log.events);
    race->undo = apex_arena_alloc_zero(arena, apex_world_save_bytes(race->field.world), 1);
    race->seen = apex_arena_alloc_zero(arena, n, sizeof *race->seen);
    take_weekend(race);
    APEX_ASSERT(race->seen != NULL); // arena_bytes counted them all
    apex_pool_init(&race->field.pool, generations, race->field.capacity);
    return APEX_OK;
}

static apex_err add_cars(apex_race *race, const apex_car_def cars[]) {
    memcpy(race->field.cars, cars, race->field.car_count * sizeof *cars);
    for (uint32_t i = 0; i < race->field.car_count; i++) {
        apex_err err =
            apex_world_add_type(race->field.world, &race->field.cars[i], &race->field.types[i]);
        if (err == APEX_OK) {
            err = apex_driver_plan_create(race->field.track, &race->field.cars[i],
                                          race->def.world.gravity_mps2, &race->field.plans[i]);
        }
        if (err != APEX_OK) {
            return err;
        }
        const apex_hull_def *hull = &race->field.cars[i].hull;
        race->field.car_reach_m[i] =
            0.5 * sqrt(hull->length_m * hull->length_m + hull->width_m * hull->width_m) +
            sqrt(hull->centre_x_m * hull->centre_x_m + hull->centre_y_m * hull->centre_y_m);
    }
    return APEX_OK;
}

static apex_err build(apex_race *race, const apex_car_def cars[]) {
    apex_world_def world = race->def.world;
    world.car_capacity = race->field.capacity;
    world.type_capacity = race->field.car_count;
    race->field.tick_hz = world.tick_hz;
    apex_err err = apex_world_create(&world, apex_track_ground(race->field.track),
                                     apex_track_walls(race->field.track), &race->field.world);
    if (err == APEX_OK) {
        err = take_memory(race);
    }
    return err == APEX_OK ? add_cars(race, cars) : err;
}

// The most that anybody drives in a race of the event.
static uint32_t laps_max(const apex_race *race) {
    const apex_weekend_def *weekend = &race->def.weekend;
    uint32_t most = weekend->session_count == 0 ? race->timing.laps : 1;
    for (uint32_t i = 0; i < weekend->session_count && apex_track_closed(race->field.track); i++) {
        const apex_session_def *session = &weekend->sessions[i];
        double timed = (session->duration_s + session->overtime_s + session->finish_wait_s) *
                           LAP_MPS_MAX / race->timing.length_m +
                       2.0;
        uint32_t by_time = (uint32_t)fmin(timed, APEX_RACE_LAPS_MAX);
        uint32_t laps = session->laps > 0 ? session->laps : by_time;
        most = laps > most ? laps : most;
    }
    return most;
}

apex_err apex_race_create(const apex_race_def *def, const apex_track *track,
                          const apex_car_def cars[], uint32_t car_count, apex_race **out) {
    APEX_ASSERT(def != NULL && track != NULL && cars != NULL && out != NULL);
    if (!def_ok(def, track, car_count)) {
        return APEX_ERR_INVALID;
    }
    apex_race *race = calloc(1, sizeof *race);
    if (race == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    race->def = *def;
    settle_sessions(&race->def);
    race->field.def = &race->def;
    race->field.track = track;
    race->field.capacity = def->player_capacity;
    race->field.car_count = car_count;
    race->field.open_session = !apex_track_has_lap(track);
    bool is_ruled = has_cards(race) && !race->field.open_session && has_rules(&def->weekend.rules);
    race->field.rules = is_ruled ? &race->def.weekend.rules : NULL;
    race->timing.laps = apex_track_closed(track) || race->field.open_session ? def->laps : 1;
    race->timing.deadline = (race_deadline){UINT64_MAX, UINT64_MAX};
    race_gates_make(&race->timing, track);
    race->log.player_capacity = race->field.capacity;
    race->timing.first_count = laps_max(race) * race->timing.gate_count + 2;
    race->log.with_cards = has_cards(race);
    uint32_t card_room = race->log.with_cards ? (uint32_t)EVENTS_PER_CARD_ROOM : 0;
    race->log.capacity = (EVENTS_PER_PLAYER_ROOM + card_room) * race->field.capacity + EVENT_ROOM;
    apex_err err = build(race, cars);
    if (err != APEX_OK) {
        apex_race_destroy(race);
        return err;
    }
    if (race->field.rules != NULL) {
        race_control_make(&race->control, &race->field, race->field.rules, &race->arena);
    }
    race_berth_find_pits(&race->field);
    race->event.phase = APEX_PHASE_LOBBY;
    race->event.race_number = race->log.race_number = 1;
    race_session_settle(&race->event, &race->field, &race->timing);
    *out = race;
    return APEX_OK;
}

void apex_race_destroy(apex_race *race) {
    if (race == NULL) {
        return;
    }
    for (uint32_t i = 0; i < race->field.car_count; i++) {
        if (race->field.plans[i] != NULL) {
            apex_driver_plan_destroy(race->field.plans[i]);
        }
    }
    apex_world_destroy(race->field.world);
    apex_arena_destroy(&race->arena);
    free(race);
}
