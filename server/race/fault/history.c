// The last four seconds of every car, ten times a second.
#include "race/fault/history.h"

#include "base/assert.h"
#include "base/trig.h"

#include <math.h>
#include <string.h>

static const double LOST_RAD = 1.0472; // 60 degrees
static const double LOCKED_SLIP = -0.6;
static const double LOCKED_MPS = 5.0; // slower, a wheel stands for other reasons

// Whoever neither brakes nor goes this much sideways is asked neither for the slip of his wheels
// nor for the road's direction, which are dear: 0.05 is 3 degrees, well within a tyre's peak, and a
// car that goes where it points has not been lost. Near standstill there is no sideways.
static const double SIDEWAYS_SHARE = 0.05;
static const double STANDS_MPS = 2.0;
enum { BRAKE_MIN = 40, YAW_MRAD_MAX = 3142 };

uint32_t race_history_every(uint32_t tick_hz) {
    uint32_t every = (tick_hz + RACE_HISTORY_HZ / 2) / RACE_HISTORY_HZ;
    return every > 0 ? every : 1;
}

static double capped(double value, double most) {
    return value > most ? most : value < -most ? -most : value;
}

static uint8_t slip_flags(const race_field *field, uint32_t slot, double speed_mps) {
    apex_car_work work;
    const race_player *player = &field->players[slot];
    if (!apex_world_get_work(field->world, player->car_id, &work)) {
        return 0;
    }
    uint32_t grounded = 0;
    uint32_t sliding = 0;
    uint8_t flags = 0;
    for (uint32_t i = 0; i < race_field_pose(field, slot)->wheel_count; i++) {
        const apex_wheel_work *wheel = &work.wheels[i];
        grounded += wheel->grounded;
        sliding += wheel->grounded && wheel->sliding;
        if (wheel->grounded && wheel->slip_ratio < LOCKED_SLIP && speed_mps > LOCKED_MPS) {
            flags |= RACE_MOMENT_LOCKED;
        }
    }
    if (sliding > 0 && 2 * sliding >= grounded) {
        flags |= RACE_MOMENT_SLIDING;
    }
    return flags;
}

// Speed to the left of where the car points, without its angles.
static double sideways_mps(const apex_car_pose *pose) {
    const double *q = pose->orientation;
    double x = 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]);
    double y = 2.0 * (q[1] * q[2] + q[0] * q[3]);
    return fabs(pose->velocity_mps[1] * x - pose->velocity_mps[0] * y);
}

double race_history_heading_rad(const race_field *field, const race_moment *moment) {
    double road_rad = apex_track_frame_at(field->track, moment->s_cm * 0.01).heading_rad;
    return apex_wrap_angle(moment->yaw_mrad * 0.001 - road_rad);
}

race_moment race_history_see(const race_field *field, uint32_t slot) {
    RACE_ASSERT_LIVE(field, slot);
    const apex_car_pose *pose = race_field_pose(field, slot);
    const double *v = pose->velocity_mps;
    apex_track_place place = apex_track_project(field->track, pose->position_m[0],
                                                pose->position_m[1], field->players[slot].s_m);
    double speed_mps = sqrt(v[0] * v[0] + v[1] * v[1]);
    race_moment moment = {
        .s_cm = (int32_t)capped(place.s_m * 100.0, INT32_MAX),
        .offset_cm = (int16_t)capped(place.offset_m * 100.0, INT16_MAX),
        .yaw_mrad = (int16_t)capped(pose->yaw_rad * 1000.0, YAW_MRAD_MAX),
        .speed_cmps = (uint16_t)capped(speed_mps * 100.0, UINT16_MAX),
        .throttle = field->used[slot].throttle,
        .brake = field->used[slot].brake,
        .flags = pose->wheels_on_road == 0 && !pose->airborne ? RACE_MOMENT_OFF : 0,
    };
    bool goes_aside = sideways_mps(pose) > SIDEWAYS_SHARE * speed_mps || speed_mps < STANDS_MPS;
    if (goes_aside && fabs(race_history_heading_rad(field, &moment)) > LOST_RAD) {
        moment.flags |= RACE_MOMENT_LOST;
    }
    if (moment.brake > BRAKE_MIN || goes_aside) {
        moment.flags |= slip_flags(field, slot, speed_mps);
    }
    return moment;
}

void race_trail_add(race_trail *trail, const race_moment *moment, uint64_t tick) {
    APEX_ASSERT(trail->next < RACE_HISTORY_MOMENTS && trail->count <= RACE_HISTORY_MOMENTS);
    trail->moments[trail->next] = *moment;
    trail->next = (trail->next + 1) % RACE_HISTORY_MOMENTS;
    trail->count += trail->count < RACE_HISTORY_MOMENTS;
    trail->newest_tick = tick;
    if ((moment->flags & RACE_MOMENT_OFF) != 0) {
        trail->off_tick = tick;
    }
    if ((moment->flags & RACE_MOMENT_LOST) != 0) {
        trail->lost_tick = tick;
    }
}

const race_moment *race_trail_moment(const race_trail *trail, uint32_t back) {
    APEX_ASSERT(back < trail->count);
    return &trail->moments[(trail->next + RACE_HISTORY_MOMENTS - 1 - back) % RACE_HISTORY_MOMENTS];
}

void race_history_follow(race_history *history, const race_field *field, uint64_t tick) {
    APEX_ASSERT(history->every_ticks > 0 && history->capacity == field->capacity);
    if (field->open_session) {
        return;
    }
    // Each slot has its own tick, so that no tick sees to all.
    uint32_t turn = (uint32_t)(tick % history->every_ticks);
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        if (slot % history->every_ticks == turn) {
            race_moment moment = race_history_see(field, slot);
            race_trail_add(&history->trails[slot], &moment, tick);
        }
    }
}

void race_trail_forget(race_trail *trail) {
    memset(trail, 0, sizeof *trail);
}

void race_trail_put_back(race_trail *trail, uint64_t tick) {
    race_trail_forget(trail);
    trail->put_back_tick = tick;
}

static void walk_moment(race_walk *io, race_moment *moment) {
    uint32_t s_cm = (uint32_t)moment->s_cm;
    uint16_t offset_cm = (uint16_t)moment->offset_cm;
    uint16_t yaw_mrad = (uint16_t)moment->yaw_mrad;
    race_walk_u32(io, &s_cm);
    race_walk_u16(io, &offset_cm);
    race_walk_u16(io, &yaw_mrad);
    race_walk_u16(io, &moment->speed_cmps);
    race_walk_u8(io, &moment->throttle);
    race_walk_u8(io, &moment->brake);
    race_walk_u8(io, &moment->flags);
    moment->s_cm = (int32_t)s_cm;
    moment->offset_cm = (int16_t)offset_cm;
    moment->yaw_mrad = (int16_t)yaw_mrad;
    io->ok = io->ok && moment->yaw_mrad >= -YAW_MRAD_MAX && moment->yaw_mrad <= YAW_MRAD_MAX &&
             moment->flags <= RACE_MOMENT_FLAGS_ALL;
}

void race_trail_walk(race_walk *io, race_trail *trail) {
    race_walk_u64(io, &trail->newest_tick);
    race_walk_u64(io, &trail->off_tick);
    race_walk_u64(io, &trail->lost_tick);
    race_walk_u64(io, &trail->put_back_tick);
    race_walk_choice(io, &trail->count, RACE_HISTORY_MOMENTS);
    race_walk_choice(io, &trail->next, RACE_HISTORY_MOMENTS - 1);
    io->ok = io->ok && (trail->count == RACE_HISTORY_MOMENTS || trail->next == trail->count);
    for (uint32_t i = 0; i < RACE_HISTORY_MOMENTS; i++) {
        walk_moment(io, &trail->moments[i]);
    }
}

bool race_trail_ok(const race_trail *trail, uint64_t tick) {
    return trail->newest_tick <= tick && trail->off_tick <= tick && trail->lost_tick <= tick &&
           trail->put_back_tick <= tick;
}
