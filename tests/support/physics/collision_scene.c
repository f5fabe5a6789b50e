// The yard is a world whose cars are placed by throws, and measured by their definitions alone.
#include "support/physics/collision_scene.h"

#include "support/physics/scenes.h"

#include "base/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// So far below that nothing thrown in a test comes down.
static const apex_ground *depths(void) {
    static apex_ground far_below;
    far_below = *scene_flat();
    far_below.outside_height_m = -1000.0;
    return &far_below;
}

collision_yard collision_yard_open(const collision_yard_def *def) {
    collision_yard yard = {.cars = def->cars, .is_high = def->is_high};
    apex_world_def world = scene_world_def(def->cars);
    const apex_ground *ground = def->is_high ? depths() : scene_flat();
    yard.controls = calloc(def->cars, sizeof *yard.controls);
    APEX_ASSERT(yard.controls != NULL);
    APEX_ASSERT(apex_world_create(&world, ground, def->walls, &yard.world) == APEX_OK);
    return yard;
}

uint32_t collision_yard_add(collision_yard *yard, const apex_car_def *def) {
    uint32_t kind = yard->kinds++;
    APEX_ASSERT(kind < COLLISION_KINDS);
    yard->defs[kind] = *def;
    APEX_ASSERT(apex_world_add_type(yard->world, def, &yard->types[kind]) == APEX_OK);
    return kind;
}

void collision_yard_run(collision_yard *yard, uint32_t ticks) {
    for (uint32_t i = 0; i < ticks; i++) {
        apex_world_step(yard->world, yard->controls, NULL);
    }
}

void collision_yard_close(collision_yard *yard) {
    apex_world_destroy(yard->world);
    free(yard->controls);
    *yard = (collision_yard){0};
}

apex_car_state collision_state(const collision_yard *yard, apex_car_id car) {
    apex_car_state state;
    memset(&state, 0, sizeof state);
    APEX_ASSERT(apex_world_get_car(yard->world, car, &state));
    return state;
}

apex_car_pose collision_pose(const collision_yard *yard, apex_car_id car) {
    apex_car_pose pose;
    APEX_ASSERT(apex_world_pose(yard->world, car, &pose));
    return pose;
}

// About z, then the new y, then the new x.
static void orient(const collision_throw *how, double q[4]) {
    double cz = cos(0.5 * how->yaw_rad), sz = sin(0.5 * how->yaw_rad);
    double cy = cos(0.5 * how->pitch_rad), sy = sin(0.5 * how->pitch_rad);
    double cx = cos(0.5 * how->roll_rad), sx = sin(0.5 * how->roll_rad);
    q[0] = cz * cy * cx + sz * sy * sx;
    q[1] = cz * cy * sx - sz * sy * cx;
    q[2] = cz * sy * cx + sz * cy * sx;
    q[3] = sz * cy * cx - cz * sy * sx;
    double sign = q[0] < 0.0 ? -1.0 : 1.0;
    for (uint32_t i = 0; i < 4; i++) {
        q[i] *= sign;
    }
}

apex_car_id collision_throw_car(collision_yard *yard, const collision_throw *how) {
    apex_car_id id;
    apex_placement at = {.x_m = how->place_m[0], .y_m = how->place_m[1], .yaw_rad = how->yaw_rad};
    APEX_ASSERT(how->kind < yard->kinds);
    APEX_ASSERT(apex_world_add_car(yard->world, yard->types[how->kind], &at, &id) == APEX_OK);
    apex_car_state state = collision_state(yard, id);
    orient(how, state.orientation);
    double from_m = yard->is_high ? 0.0 : state.position_m[2];
    memcpy(state.position_m, how->place_m, sizeof state.position_m);
    state.position_m[2] += from_m;
    memcpy(state.velocity_mps, how->velocity_mps, sizeof state.velocity_mps);
    memcpy(state.angular_radps, how->angular_radps, sizeof state.angular_radps);
    APEX_ASSERT(apex_world_set_car(yard->world, id, &state));
    return id;
}

collision_throw collision_mirrored(const collision_throw *how) {
    collision_throw other = *how;
    other.place_m[1] = -how->place_m[1];
    other.yaw_rad = -how->yaw_rad;
    other.roll_rad = -how->roll_rad;
    other.velocity_mps[1] = -how->velocity_mps[1];
    other.angular_radps[0] = -how->angular_radps[0];
    other.angular_radps[2] = -how->angular_radps[2];
    return other;
}

// Sunflower seeds, each with room for a car however it stands.
void collision_jam_place(collision_yard *yard, const collision_jam *jam) {
    const double GOLDEN_RAD = 2.39996322972865332, ROOM_M2 = 23.0;
    uint64_t seed = jam->seed;
    for (uint32_t i = 0; i < jam->cars; i++) {
        double radius_m = sqrt(ROOM_M2 / COLLISION_PI * (i + 0.5)), angle = GOLDEN_RAD * i;
        double askew = scene_random_between(&seed, -0.2, 0.2);
        double sign = jam->is_mirrored ? -1.0 : 1.0;
        apex_car_id id;
        apex_placement at = {.x_m = radius_m * cos(angle),
                             .y_m = sign * radius_m * sin(angle),
                             .yaw_rad = sign * (angle + COLLISION_PI + askew),
                             .speed_mps = jam->speed_mps};
        apex_car_type type = yard->types[i % jam->kinds];
        APEX_ASSERT(apex_world_add_car(yard->world, type, &at, &id) == APEX_OK);
    }
}

void collision_yard_pedals(collision_yard *yard, uint8_t throttle, uint8_t brake) {
    for (uint32_t i = 0; i < yard->cars; i++) {
        yard->controls[i] =
            (apex_controls){.throttle = throttle, .brake = brake, .gear = APEX_GEAR_AUTOMATIC};
    }
}

size_t collision_count_stopped(const apex_world *world) {
    size_t count, stopped = 0;
    const apex_car_event *events = apex_world_car_events(world, &count);
    for (size_t e = 0; e < count; e++) {
        stopped += events[e].kind == APEX_CAR_STOPPED_BAD;
    }
    return stopped;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void axes_of(const double q[4], double axis[3][3]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[3][3] = {
        {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)},
        {2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)},
        {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)}};
    memcpy(axis, rows, sizeof rows);
}

collision_box collision_box_of(const apex_car_def *def, const apex_car_pose *pose, double share) {
    const apex_hull_def *hull = &def->hull;
    const double centre[3] = {hull->centre_x_m, hull->centre_y_m, hull->centre_z_m};
    collision_box box = {.half_m = {0.5 * share * hull->length_m, 0.5 * share * hull->width_m,
                                    0.5 * share * hull->height_m},
                         .rounding_m = share * hull->rounding_m};
    axes_of(pose->orientation, box.axis);
    for (uint32_t i = 0; i < 3; i++) {
        box.centre_m[i] = pose->position_m[i] + centre[0] * box.axis[0][i] +
                          centre[1] * box.axis[1][i] + centre[2] * box.axis[2][i];
    }
    return box;
}

void collision_box_corner(const collision_box *box, uint32_t corner, double out[3]) {
    memcpy(out, box->centre_m, sizeof box->centre_m);
    for (uint32_t k = 0; k < 3; k++) {
        double far_m = corner >> k & 1u ? box->half_m[k] : -box->half_m[k];
        for (uint32_t i = 0; i < 3; i++) {
            out[i] += far_m * box->axis[k][i];
        }
    }
}

static double extent(const collision_box *box, const double along[3]) {
    double sum = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        sum += box->half_m[k] * fabs(dot(box->axis[k], along));
    }
    return sum;
}

// Along one direction; of any length, those of next to none tell nothing.
static double overlap_along(const collision_box *a, const collision_box *b, const double along[3]) {
    double length = sqrt(dot(along, along));
    if (length < 1e-3) {
        return HUGE_VAL;
    }
    const double apart[3] = {b->centre_m[0] - a->centre_m[0], b->centre_m[1] - a->centre_m[1],
                             b->centre_m[2] - a->centre_m[2]};
    return (extent(a, along) + extent(b, along) - fabs(dot(apart, along))) / length;
}

static bool are_far(const collision_box *a, const collision_box *b) {
    double apart = 0.0;
    for (uint32_t i = 0; i < 3; i++) {
        apart += (b->centre_m[i] - a->centre_m[i]) * (b->centre_m[i] - a->centre_m[i]);
    }
    double reach = sqrt(dot(a->half_m, a->half_m)) + sqrt(dot(b->half_m, b->half_m));
    return apart > reach * reach;
}

double collision_overlap_m(const collision_box *a, const collision_box *b) {
    double least = HUGE_VAL;
    if (are_far(a, b)) {
        return -HUGE_VAL;
    }
    for (uint32_t k = 0; k < 3; k++) {
        least = fmin(least, overlap_along(a, b, a->axis[k]));
        least = fmin(least, overlap_along(a, b, b->axis[k]));
        for (uint32_t m = 0; m < 3; m++) {
            const double *p = a->axis[k], *q = b->axis[m];
            const double across[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                                      p[0] * q[1] - p[1] * q[0]};
            least = fmin(least, overlap_along(a, b, across));
        }
    }
    return least;
}

/// A rectangle in the plan, without the rounding round it.
typedef struct plan {
    double x, y, ahead[2], half[2];
} plan;

static plan plan_of(const collision_box *box) {
    double length = hypot(box->axis[0][0], box->axis[0][1]);
    return (plan){.x = box->centre_m[0],
                  .y = box->centre_m[1],
                  .ahead = {box->axis[0][0] / length, box->axis[0][1] / length},
                  .half = {box->half_m[0] - box->rounding_m, box->half_m[1] - box->rounding_m}};
}

static double distance_to(const plan *of, double x, double y) {
    double dx = x - of->x, dy = y - of->y;
    double ahead = fabs(of->ahead[0] * dx + of->ahead[1] * dy) - of->half[0];
    double aside = fabs(of->ahead[0] * dy - of->ahead[1] * dx) - of->half[1];
    return hypot(fmax(ahead, 0.0), fmax(aside, 0.0));
}

// Rectangles that are apart are nearest at a corner of one of them.
static double nearest_corner(const plan *of, const plan *corners) {
    double least = HUGE_VAL;
    for (uint32_t c = 0; c < 4; c++) {
        double ahead = c & 1u ? corners->half[0] : -corners->half[0];
        double aside = c & 2u ? corners->half[1] : -corners->half[1];
        double x = corners->x + ahead * corners->ahead[0] - aside * corners->ahead[1];
        double y = corners->y + ahead * corners->ahead[1] + aside * corners->ahead[0];
        least = fmin(least, distance_to(of, x, y));
    }
    return least;
}

static double rectangles_overlap(const plan *a, const plan *b) {
    double least = HUGE_VAL;
    double cosine = fabs(a->ahead[0] * b->ahead[0] + a->ahead[1] * b->ahead[1]);
    double sine = fabs(a->ahead[0] * b->ahead[1] - a->ahead[1] * b->ahead[0]);
    double dx = b->x - a->x, dy = b->y - a->y;
    for (uint32_t which = 0; which < 2; which++) {
        const plan *own = which == 0 ? a : b, *other = which == 0 ? b : a;
        double ahead = fabs(own->ahead[0] * dx + own->ahead[1] * dy);
        double aside = fabs(own->ahead[0] * dy - own->ahead[1] * dx);
        double long_m = own->half[0] + cosine * other->half[0] + sine * other->half[1];
        double wide_m = own->half[1] + sine * other->half[0] + cosine * other->half[1];
        least = fmin(least, fmin(long_m - ahead, wide_m - aside));
    }
    return least;
}

double collision_plan_overlap_m(const collision_box *a, const collision_box *b) {
    static const double UP[3] = {0.0, 0.0, 1.0};
    plan first = plan_of(a), second = plan_of(b);
    double round_m = a->rounding_m + b->rounding_m, inner = rectangles_overlap(&first, &second);
    double in_plan = inner > 0.0 ? inner + round_m
                                 : round_m - fmin(nearest_corner(&first, &second),
                                                  nearest_corner(&second, &first));
    return fmin(in_plan, overlap_along(a, b, UP));
}

static apex_car_pose pose_between(const collision_track *track, double way) {
    apex_car_pose pose = track->now;
    const double *from = track->before.orientation, *to = track->now.orientation;
    double same = 0.0, square = 0.0;
    for (uint32_t i = 0; i < 4; i++) {
        same += from[i] * to[i];
    }
    for (uint32_t i = 0; i < 4; i++) {
        double near = same < 0.0 ? -to[i] : to[i];
        pose.orientation[i] = from[i] + way * (near - from[i]);
        square += pose.orientation[i] * pose.orientation[i];
    }
    for (uint32_t i = 0; i < 4; i++) {
        pose.orientation[i] /= sqrt(square);
    }
    for (uint32_t i = 0; i < 3; i++) {
        double start = track->before.position_m[i];
        pose.position_m[i] = start + way * (track->now.position_m[i] - start);
    }
    return pose;
}

enum { LOOKS = 8 };

static bool is_inside(const collision_box *box, const double place_m[3]) {
    bool is_in = true;
    for (uint32_t k = 0; k < 3; k++) {
        double along = 0.0;
        for (uint32_t i = 0; i < 3; i++) {
            along += box->axis[k][i] * (place_m[i] - box->centre_m[i]);
        }
        is_in = is_in && fabs(along) < box->half_m[k];
    }
    return is_in;
}

bool collision_is_through(const collision_track *a, const collision_track *b) {
    for (uint32_t look = 1; look <= LOOKS; look++) {
        double way = (double)look / LOOKS;
        apex_car_pose first = pose_between(a, way), second = pose_between(b, way);
        collision_box one = collision_box_of(a->def, &first, 0.5);
        collision_box other = collision_box_of(b->def, &second, 0.5);
        if (is_inside(&one, other.centre_m) || is_inside(&other, one.centre_m)) {
            return true;
        }
    }
    return false;
}

double collision_deepest_in(const collision_track *a, const collision_box *fixed, double share) {
    double most = -HUGE_VAL;
    for (uint32_t look = 1; look <= LOOKS; look++) {
        apex_car_pose pose = pose_between(a, (double)look / LOOKS);
        collision_box box = collision_box_of(a->def, &pose, share);
        most = fmax(most, collision_overlap_m(&box, fixed));
    }
    return most;
}
