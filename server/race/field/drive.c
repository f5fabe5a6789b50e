// Controls of the tick: the players' own, or those of the server's driver.
#include "race/race_private.h"

#include "base/assert.h"

#include <math.h>

static const double AHEAD_M = 90.0;  // braking distance of a closing speed of 40 m/s
static const double BEHIND_M = 60.0; // who is held up
static const double PARKED_MPS = 1.0;
static const double AROUND_M = 35.0; // without a lap there is no ahead in the order

enum { LOOK_BEHIND_CARS = 2, LOOK_CARS_MAX = 24, DRIVE_GRAIN = 16 };

typedef struct drive_job {
    apex_race *race;
    const apex_controls *controls;
} drive_job;

bool race_drive_presses(uint8_t pedal) {
    return pedal > RACE_PEDAL_REST;
}

// Heading of a body without angles: its x axis laid on the ground.
static void heading_of(const apex_car_pose *pose, double forward[2]) {
    const double *q = pose->orientation;
    double x = 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]);
    double y = 2.0 * (q[1] * q[2] + q[0] * q[3]);
    double square = x * x + y * y;
    double inverse = square > 1e-12 ? 1.0 / sqrt(square) : 0.0;
    forward[0] = x * inverse;
    forward[1] = y * inverse;
}

static void add_neighbour(apex_driver_view *view, const apex_car_pose *own,
                          const apex_car_pose *other, const double forward[2]) {
    double x_m = other->position_m[0] - own->position_m[0];
    double y_m = other->position_m[1] - own->position_m[1];
    double ahead_m = x_m * forward[0] + y_m * forward[1];
    double faster_mps = (own->velocity_mps[0] - other->velocity_mps[0]) * forward[0] +
                        (own->velocity_mps[1] - other->velocity_mps[1]) * forward[1];
    view->neighbours[view->neighbour_count++] = (apex_driver_neighbour){
        .ahead_m = ahead_m,
        .left_m = y_m * forward[0] - x_m * forward[1],
        .closing_mps = ahead_m >= 0.0 ? faster_mps : -faster_mps,
    };
}

static bool is_near(const apex_car_pose *a, const apex_car_pose *b) {
    double x_m = b->position_m[0] - a->position_m[0];
    double y_m = b->position_m[1] - a->position_m[1];
    return x_m * x_m + y_m * y_m < AROUND_M * AROUND_M;
}

// Walks the order along the lap from the car, nearest first.
static void look(const apex_race *race, uint32_t slot, int direction, apex_driver_view *view) {
    uint32_t count = race->field.along_count;
    uint32_t behind = race->field.open_session ? APEX_DRIVER_NEIGHBOURS_MAX / 2 : LOOK_BEHIND_CARS;
    uint32_t room = APEX_DRIVER_NEIGHBOURS_MAX - (direction > 0 ? behind : 0);
    double limit_m = race->field.open_session ? AROUND_M : direction > 0 ? AHEAD_M : BEHIND_M;
    double forward[2];
    heading_of(race_player_pose(race, slot), forward);
    uint32_t rank = race->field.rank_along[slot];
    for (uint32_t i = 1; i < count && i <= LOOK_CARS_MAX && view->neighbour_count < room; i++) {
        uint32_t other =
            race->field.along[direction > 0 ? (rank + i) % count : (rank + count - i) % count];
        double gap_m =
            direction * apex_track_gap_m(race->field.track, race->field.players[slot].s_m,
                                         race->field.players[other].s_m);
        if (gap_m < 0.0 || gap_m > limit_m) {
            return;
        }
        bool near = !race->field.open_session ||
                    is_near(race_player_pose(race, slot), race_player_pose(race, other));
        if (near && !race->field.players[other].ghost) {
            add_neighbour(view, race_player_pose(race, slot), race_player_pose(race, other),
                          forward);
        }
    }
}

static apex_controls drive_car(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    const apex_car_pose *pose = race_player_pose(race, slot);
    double forward[2];
    heading_of(pose, forward);
    apex_driver_view view = {
        .dt_s = 1.0 / race->field.tick_hz,
        .x_m = pose->position_m[0],
        .y_m = pose->position_m[1],
        .z_m = pose->position_m[2],
        .yaw_rad = pose->yaw_rad,
        .speed_mps = pose->velocity_mps[0] * forward[0] + pose->velocity_mps[1] * forward[1],
        .sideways_mps = pose->velocity_mps[1] * forward[0] - pose->velocity_mps[0] * forward[1],
        .yaw_rate_radps = pose->angular_radps[2],
        .gear = pose->gear,
        .may_go = player->state == APEX_STANDING_RUNNING,
    };
    if (view.may_go) {
        look(race, slot, 1, &view);
        look(race, slot, -1, &view);
    }
    return apex_driver_drive(&player->driver, race->field.plans[player->car], &view);
}

// Set down beside the road and not yet asked to go: it does not roll away, however steep the hill.
static bool is_parked(const apex_race *race, uint32_t slot) {
    const double *v = race_player_pose(race, slot)->velocity_mps;
    return race->field.players[slot].aside &&
           !race_drive_presses(race->field.used[slot].throttle) &&
           v[0] * v[0] + v[1] * v[1] < PARKED_MPS * PARKED_MPS;
}

static void drive_some(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const drive_job *job = ctx;
    apex_race *race = job->race;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t slot = race->field.live[i];
        const race_player *player = &race->field.players[slot];
        race->field.used[slot] =
            player->driven_by_server ? drive_car(race, slot) : job->controls[slot];
        if (is_parked(race, slot)) {
            race->field.used[slot].brake = UINT8_MAX;
        }
        race->field.by_car[player->car_id.index1 - 1] = race->field.used[slot];
    }
}

void race_drive(apex_race *race, const apex_controls controls[], apex_jobs *jobs) {
    race_order_along(race);
    drive_job job = {race, controls};
    apex_jobs_for(jobs, race->field.pool.live_count, DRIVE_GRAIN, drive_some, &job);
}

const apex_controls *apex_race_controls_used(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return race->field.used;
}
