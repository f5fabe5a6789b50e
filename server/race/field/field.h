// The field: the players who take part, the cars, the world that they are in, and their order along
// the lap.
#pragma once

#include "race/card.h"
#include "race/player.h"

#include "base/assert.h"
#include "base/pool.h"

// A place where a car can be set down.
typedef struct race_berth {
    apex_placement at;
    double s_m; // its lap distance
} race_berth;

// The state of the field that is saved beside the lines of its players.
typedef struct race_counts {
    uint32_t grid;  // boxes taken when the grid formed
    uint32_t joins; // ever, to tell the order in which they came
    uint32_t kept;  // lines of those who left
} race_counts;

typedef struct race_field {
    const apex_race_def *def;
    const apex_track *track;
    bool open_session;               // on a track without a lap
    const apex_rules_def *rules;     // NULL: nothing of them is on
    const apex_session_def *session; // that is on; NULL: an event without sessions
    apex_world *world;
    uint32_t capacity; // player slots
    uint32_t tick_hz;

    uint32_t car_count;
    apex_car_def *cars;
    double car_reach_m[APEX_RACE_CAR_DEFS_MAX]; // radius of the hull's footprint
    apex_car_type types[APEX_RACE_CAR_DEFS_MAX];
    apex_driver_plan *plans[APEX_RACE_CAR_DEFS_MAX];

    uint32_t pit_box_count;
    race_berth *pit_boxes; // to begin from

    race_counts counts;
    apex_pool pool;        // over player slots
    uint32_t *live;        // [pool.live_count] slots that somebody has, rising
    race_player *players;  // [capacity]
    race_player *kept;     // [capacity], of those who left during the race; counts.kept of them
    uint32_t kept_started; // how many of these had taken the start: only they are in the order
    race_left *left;       // [capacity] by slot: the player who left it last
    // NULL in an event without sessions and rules.
    race_card *cards;      // [capacity] of players
    race_card *kept_cards; // [capacity] of kept lines

    // Rebuilt every tick.
    apex_car_pose *poses;  // [capacity] by car slot, the id null where there is none
    apex_controls *used;   // [capacity] by player slot
    apex_controls *by_car; // [capacity] by car slot
    uint32_t *slot_of_car; // [capacity] player slot by car slot
    uint32_t car_end;      // one past the last car slot that was ever taken
    uint32_t along_count;
    uint32_t *along;      // [capacity] slots by lap distance
    uint32_t *rank_along; // [capacity] index into `along` by slot
    uint32_t *scratch;    // [2 * capacity] for sorting
    apex_driver_orders
        *orders;              // [capacity] by player slot, of the server's drivers; with cards only
    apex_track_place *places; // [capacity] by player slot, where cars are followed; with cards only
} race_field;

static inline const apex_car_pose *race_field_pose_of(const race_field *in,
                                                      const race_player *player) {
    return &in->poses[player->car_id.index1 - 1];
}

static inline const apex_car_pose *race_field_pose(const race_field *in, uint32_t slot) {
    return &in->poses[in->players[slot].car_id.index1 - 1];
}

// The assertion of every stage that is about one player.
#define RACE_ASSERT_LIVE(field, slot) \
    APEX_ASSERT((slot) < (field)->capacity && race_field_is_live(field, slot))

static inline bool race_field_is_live(const race_field *in, uint32_t slot) {
    return apex_pool_is_index_live(&in->pool, slot);
}

// A practice, a qualifying or a warm-up: what counts is the best lap.
static inline bool race_field_against_clock(const race_field *in) {
    return in->session != NULL && in->session->kind != APEX_SESSION_RACE;
}

// Of a player who is here; NULL without cards.
static inline race_card *race_field_card(const race_field *in, const race_player *player) {
    return in->cards != NULL ? &in->cards[player->id.index1 - 1] : NULL;
}

static inline uint64_t race_field_ticks(const race_field *in, double seconds) {
    return (uint64_t)(seconds * in->tick_hz + 0.5);
}
