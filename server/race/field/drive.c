// Controls of the tick: the players' own, or those of the server's driver.
#include "race/field/drive.h"

#include "race/field/along.h"
#include "race/pedal.h"

#include <math.h>

static const double AHEAD_M = 90.0;  // braking distance of a closing speed of 40 m/s
static const double BEHIND_M = 60.0; // drivers this near behind a car are held up by it
static const double PARKED_MPS = 1.0;
static const double AROUND_M = 35.0; // without a lap there is no ahead in the order

enum { LOOK_BEHIND_CARS = 2, LOOK_CARS_MAX = 24, DRIVE_GRAIN = 16 };

typedef struct drive_job {
    race_field *field;
    const apex_controls *controls;
} drive_job;

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
static void look(const race_field *field, uint32_t slot, int direction, apex_driver_view *view) {
    uint32_t count = field->along_count;
    uint32_t behind = field->open_session ? APEX_DRIVER_NEIGHBOURS_MAX / 2 : LOOK_BEHIND_CARS;
    uint32_t room = APEX_DRIVER_NEIGHBOURS_MAX - (direction > 0 ? behind : 0);
    double limit_m = field->open_session ? AROUND_M : direction > 0 ? AHEAD_M : BEHIND_M;
    double forward[2];
    heading_of(race_field_pose(field, slot), forward);
    uint32_t rank = field->rank_along[slot];
    for (uint32_t i = 1; i < count && i <= LOOK_CARS_MAX && view->neighbour_count < room; i++) {
        uint32_t other =
            field->along[direction > 0 ? (rank + i) % count : (rank + count - i) % count];
        double gap_m = direction * apex_track_gap_m(field->track, field->players[slot].s_m,
                                                    field->players[other].s_m);
        if (gap_m < 0.0 || gap_m > limit_m) {
            return;
        }
        bool near = !field->open_session ||
                    is_near(race_field_pose(field, slot), race_field_pose(field, other));
        if (near && !field->players[other].ghost) {
            add_neighbour(view, race_field_pose(field, slot), race_field_pose(field, other),
                          forward);
        }
    }
}

static apex_controls drive_car(race_field *field, uint32_t slot) {
    race_player *player = &field->players[slot];
    const apex_car_pose *pose = race_field_pose(field, slot);
    double forward[2];
    heading_of(pose, forward);
    apex_driver_view view = {
        .dt_s = 1.0 / field->tick_hz,
        .x_m = pose->position_m[0],
        .y_m = pose->position_m[1],
        .z_m = pose->position_m[2],
        .yaw_rad = pose->yaw_rad,
        .speed_mps = pose->velocity_mps[0] * forward[0] + pose->velocity_mps[1] * forward[1],
        .sideways_mps = pose->velocity_mps[1] * forward[0] - pose->velocity_mps[0] * forward[1],
        .yaw_rate_radps = pose->angular_radps[2],
        .gear = pose->gear,
        .may_go = player->state == APEX_STANDING_RUNNING,
        .orders = field->orders != NULL ? field->orders[slot] : (apex_driver_orders){0},
    };
    if (view.may_go) {
        look(field, slot, 1, &view);
        look(field, slot, -1, &view);
    }
    return apex_driver_drive(&player->driver, field->plans[player->car], &view);
}

// Set down beside the road and not yet asked to go: it does not roll away, however steep the hill
// (DECISIONS 40).
static bool is_parked(const race_field *field, uint32_t slot) {
    const double *v = race_field_pose(field, slot)->velocity_mps;
    return field->players[slot].aside && !race_pedal_is_pressed(field->used[slot].throttle) &&
           v[0] * v[0] + v[1] * v[1] < PARKED_MPS * PARKED_MPS;
}

static void drive_some(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const drive_job *job = ctx;
    race_field *field = job->field;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t slot = field->live[i];
        const race_player *player = &field->players[slot];
        field->used[slot] = player->driven_by_server ? drive_car(field, slot) : job->controls[slot];
        if (is_parked(field, slot)) {
            field->used[slot].brake = UINT8_MAX;
        }
        field->by_car[player->car_id.index1 - 1] = field->used[slot];
    }
}

void race_drive(race_field *field, const apex_controls controls[], apex_jobs *jobs) {
    APEX_ASSERT(controls != NULL && field->pool.live_count <= field->capacity);
    race_along_sort(field);
    drive_job job = {field, controls};
    apex_jobs_for(jobs, field->pool.live_count, DRIVE_GRAIN, drive_some, &job);
}
