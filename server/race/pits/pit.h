// One player in the pits: where he is between the lines, his stop, and what is done to his car.
//
// ROAD -> over the entry line -> LANE -> stands in his box -> STOPPED -> moves -> LEAVING -> over
// the exit line -> ROAD. Nothing here knows a world: what is seen of the car, what penalties he has
// to stand and what work his plan makes come in as values, and what happened goes out as events.
// All times are of the session's clock.
#pragma once

#include "race/pits/pit_work.h"
#include "race/walk.h"

typedef struct race_pit {
    apex_pit_phase phase;
    uint32_t box1; // his, from 1; 0: he has none
    uint32_t stops, stops_counted;
    apex_pit_plan plan; // for the next stop

    // The stop under way, or the last one.
    apex_pit_plan job;
    uint8_t jobs;              // bits of RACE_PIT_FUEL..
    uint64_t hold_us, work_us; // to be stood: first for penalties, then for the work
    uint64_t stop_us;          // when he came to stand: what was given later is not stood here
    uint32_t stood_ticks;
    bool bars, held, done; // no work beside its penalty; penalty stood; work done

    // The visit under way, or the last one.
    uint64_t entered_us;
    uint64_t visit_us; // from line to line, of the last one
    double speed_mps_max;
    bool by_line;    // it began over the entry line
    bool stopped;    // in his box
    bool barred;     // a stop-and-hold was stood in it: no work any more
    uint8_t refused; // bits of race_pit_refusal that he was told
    bool came_out;   // over the exit line, and a driver would not have merged yet
    double since_m;  // as seen in the last tick
} race_pit;

// What is seen of his car at the end of a tick.
typedef struct race_pit_sight {
    uint64_t now_us;
    uint32_t tick_hz;
    double since_m;    // along the road since the lane's entry; negative before it
    bool on_road;      // its middle is
    bool in_pits;      // likewise, on the lane or the boxes, off the road
    double speed_mps;  // over the ground
    double past_box_m; // from the middle of his box to that of the car; negative before it
    bool near_box;     // no further before it than a driver looks
    bool at_box;       // some of its length is beside or in it
    bool in_box;       // wholly in it
    bool box_taken;    // somebody else stands in it
    double over_m;     // of its side past the line that parts lane and road; <= 0: none
} race_pit_sight;

// What is to be done if he stops now.
typedef struct race_pit_orders {
    bool holds; // penalties that are stood in the box are open
    race_pit_work work;
    uint64_t window_from_us, window_to_us; // in which a stop counts; both 0: always
} race_pit_orders;

typedef enum race_pit_event_kind {
    RACE_PIT_ENTERED,  // the lane; us: when
    RACE_PIT_ASTRAY,   // came in or went out elsewhere than over its line, or backwards
    RACE_PIT_REFUSED,  // not served; why says what for
    RACE_PIT_STOPPED,  // stands in his box: race_pit_hold may be told; us: of the work
    RACE_PIT_HELD,     // has stood his penalties; us: how long
    RACE_PIT_DONE,     // the work is done: race_pit_service of job and jobs
    RACE_PIT_RELEASED, // moves out of his box; us: how long he stood
    RACE_PIT_LEFT,     // the lane; us: how long he was in it
    RACE_PIT_THROUGH,  // with LEFT: from line to line without a stop
} race_pit_event_kind;

typedef enum race_pit_refusal {
    RACE_PIT_BUSY,    // somebody stands in his box
    RACE_PIT_OUTSIDE, // he stands, but not wholly in it
    RACE_PIT_PASSED,  // went by without a stop, though one was due
} race_pit_refusal;

typedef struct race_pit_event {
    race_pit_event_kind kind;
    race_pit_refusal why; // REFUSED
    uint64_t us;
} race_pit_event;

enum { RACE_PIT_EVENTS_MAX = 6 };

typedef struct race_pit_events {
    uint32_t count;
    race_pit_event all[RACE_PIT_EVENTS_MAX];
} race_pit_events;

// Of a session: nobody has stopped, nobody is under way. The box and the plan are kept.
void race_pit_begin(race_pit *pit);
// His car was set down: in the pits, where he begins in the lane without having come over its line,
// or elsewhere. A stop under way is forfeited, and no line counts as crossed.
void race_pit_place(race_pit *pit, bool in_pits, double since_m);
// A tick. @param lane of the track, which has one. @param out what happened in it
void race_pit_step(race_pit *pit, const apex_track_pits *lane, const race_pit_sight *sight,
                   const race_pit_orders *orders, race_pit_events *out);
// At STOPPED, in the same tick: what he has to stand before the work. It is told when it is over.
// @param bars_work no work in this visit any more; his plan is for the next one
void race_pit_hold(race_pit *pit, uint64_t hold_us, bool bars_work);
// Of the stop under way: what it takes in all, from its beginning.
static inline uint64_t race_pit_stop_takes_us(const race_pit *pit) {
    return pit->hold_us + pit->work_us;
}
bool race_pit_has(const race_pit_events *events, race_pit_event_kind kind);

// Whether he is past the exit line, and lane and road are not one yet: the line that parts them
// is not to be crossed.
static inline bool race_pit_is_on_exit_road(const race_pit *pit, const apex_track_pits *lane) {
    return pit->came_out && pit->since_m < lane->length_m;
}

// Whether he is between the lines. A lap that ends while he is has been an in-lap, and the one that
// begins an out-lap (APEX_VOID_IN, APEX_VOID_OUT); both count as laps, and the flag may be taken
// there.
static inline bool race_pit_is_inside(const race_pit *pit) {
    return pit->phase != APEX_PIT_ROAD;
}

// The pits as they are told. @param work_us of his plan as the car is now
apex_pit_state race_pit_tell(const race_pit *pit, uint64_t work_us, uint64_t now_us,
                             uint32_t tick_hz);
// What a driver of the server's has to know. @param wants to come in, by plan, penalty or command.
// @param stops in his box then, where it is not taken
void race_pit_order_driver(const race_pit *pit, bool wants, bool stops, apex_driver_orders *orders);

void race_pit_walk(race_walk *io, race_pit *pit);
