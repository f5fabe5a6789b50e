// The last four seconds of every car, ten times a second: what stewards look at after a contact.
#pragma once

#include "race/field/field.h"
#include "race/walk.h"

enum { RACE_HISTORY_HZ = 10, RACE_HISTORY_MOMENTS = 40 };

typedef enum race_moment_flag {
    RACE_MOMENT_OFF = 1,     // no wheel on the road
    RACE_MOMENT_LOCKED = 2,  // a wheel stands under the brake
    RACE_MOMENT_SLIDING = 4, // half of the wheels are past the peak of their tyres
    RACE_MOMENT_LOST = 8,    // points more than 60 degrees off the road's direction
    RACE_MOMENT_FLAGS_ALL = 15,
} race_moment_flag;

// A car at one moment, in integers: so it is saved in 13 bytes, and rounds the same everywhere.
typedef struct race_moment {
    int32_t s_cm;
    int16_t offset_cm;       // to the left of the road's middle
    int16_t yaw_mrad;        // where it points; within -3142..3142
    uint16_t speed_cmps;     // over the ground
    uint8_t throttle, brake; // 255ths
    uint8_t flags;           // of race_moment_flag
} race_moment;

typedef struct race_trail {
    uint64_t newest_tick; // of the newest moment
    // World ticks at which it last was so; 0 never.
    uint64_t off_tick;      // with no wheel on the road
    uint64_t lost_tick;     // more than 60 degrees off the road's direction
    uint64_t put_back_tick; // put back on the track
    uint32_t count;         // of moments that there are
    uint32_t next;          // the oldest, which the next one replaces
    race_moment moments[RACE_HISTORY_MOMENTS];
} race_trail;

typedef struct race_history {
    uint32_t every_ticks; // between two moments of a car
    uint32_t capacity;
    race_trail *trails; // [capacity] by player slot
} race_history;

// @return ticks between two moments at that rate of ticks, at least 1
uint32_t race_history_every(uint32_t tick_hz);

// The moment of a car in a field, now.
race_moment race_history_see(const race_field *field, uint32_t slot);
// Off the road's direction there, to the left.
double race_history_heading_rad(const race_field *field, const race_moment *moment);
// Once a tick, after the cars were followed: the cars whose turn it is. Nobody on a track without a
// lap, which has no road to be right or wrong on.
void race_history_follow(race_history *history, const race_field *field, uint64_t tick);
void race_trail_add(race_trail *trail, const race_moment *moment, uint64_t tick);
// @param back 0 the newest; below trail->count
const race_moment *race_trail_moment(const race_trail *trail, uint32_t back);

// Another player has the slot.
void race_trail_forget(race_trail *trail);
// The car stands elsewhere now: what was before is no way to there.
void race_trail_put_back(race_trail *trail, uint64_t tick);

void race_trail_walk(race_walk *io, race_trail *trail);
// @return whether a trail that was read can be one at that tick of the world
bool race_trail_ok(const race_trail *trail, uint64_t tick);
