// links: base physics
// A benchmark of our cars beside Bullet's btRaycastVehicle: 1,024 of each on the same hills, every
// one on a circle of its own with nobody in the way, a tick of 60 Hz on one thread. Ours makes four
// substeps in it; Bullet one step, which is how games run it. Windows of the two take turns, so
// that whatever else the machine does meets both. Processor time of the thread; medians; Bullet's
// over ours.
//
// Only the step is timed. The driver between steps is the same for both and sets steering and
// throttle of every car before each one.
//
// --setups measures Bullet alone, in each way of setting it up that peer_bullet.h knows.

#include "peer_bullet.h"
#include "windows.h"
#include "base/assert.h"
#include "base/trig.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CARS = 1024, SIDE = 32, WARM_TICKS = 240, WINDOWS = 13, WINDOW_TICKS = 40 };

static const double SPACING_M = 40.0, CIRCLE_M = 14.0, SPEED_MPS = 7.0, TICK_HZ = 60.0;
static const double HALF_M = 0.5 * SIDE * 40.0 + 64.0;

// The cheapest ground for Bullet that is as hilly as ours: with 4 m between heights it is out by
// 14 mm at most. Finer ones cost Bullet more, and so does a triangle mesh of any size. The
// raycaster is Bullet's own; one that leaves out cars (rays_to_ground) has to be written by its
// user.
static const peer_setup SETUP = {.ground = PEER_GROUND_HEIGHTFIELD, .cell_m = 4.0};

static double thread_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

static void centre_of(uint32_t car, double *x_m, double *y_m) {
    *x_m = (car % SIDE - 0.5 * (SIDE - 1)) * SPACING_M;
    *y_m = (car / SIDE - 0.5 * (SIDE - 1)) * SPACING_M;
}

// Odd cars turn left, even ones right.
static double turn_of(uint32_t car) {
    return car % 2 ? 1.0 : -1.0;
}

static peer_pose start_of(uint32_t car) {
    double x_m, y_m, angle_rad = 0.37 * car;
    centre_of(car, &x_m, &y_m);
    return (peer_pose){.x_m = x_m + CIRCLE_M * cos(angle_rad),
                       .y_m = y_m + CIRCLE_M * sin(angle_rad),
                       .yaw_rad = angle_rad + turn_of(car) * 0.5 * APEX_PI,
                       .speed_mps = SPEED_MPS};
}

static double clamp(double value, double low, double high) {
    return fmin(fmax(value, low), high);
}

typedef struct pedals {
    double steer_rad, throttle;
} pedals;

// Steers for the tangent, turned inwards when the car is too far out.
static pedals drive(uint32_t car, const peer_pose *pose, double wheelbase_m) {
    double x_m, y_m, turn = turn_of(car);
    centre_of(car, &x_m, &y_m);
    x_m = pose->x_m - x_m;
    y_m = pose->y_m - y_m;
    double outside_m = sqrt(x_m * x_m + y_m * y_m) - CIRCLE_M;
    double inwards_rad = clamp(0.1 * outside_m, -0.5, 0.5);
    double heading_rad = atan2(y_m, x_m) + turn * (0.5 * APEX_PI + inwards_rad);
    double error_rad = remainder(heading_rad - pose->yaw_rad, 2.0 * APEX_PI);
    double steer_rad = turn * wheelbase_m / CIRCLE_M + error_rad;
    return (pedals){.steer_rad = clamp(steer_rad, -0.5, 0.5),
                    .throttle = clamp(0.1 + 0.2 * (SPEED_MPS - pose->speed_mps), 0.0, 1.0)};
}

// Of all ticks of all windows. A field that stands, flies or piles up measures something else. A
// car that is not a number shows in the sum of speeds.
typedef struct conduct {
    double speed_sum_mps;
    uint64_t touching_sum, count;
    double outside_m_max;
} conduct;

static void watch(conduct *seen, uint32_t car, const peer_pose *pose) {
    double x_m, y_m;
    centre_of(car, &x_m, &y_m);
    x_m = pose->x_m - x_m;
    y_m = pose->y_m - y_m;
    double outside_m = fabs(sqrt(x_m * x_m + y_m * y_m) - CIRCLE_M);
    seen->speed_sum_mps += pose->speed_mps;
    seen->touching_sum += pose->wheels_touching;
    seen->count++;
    seen->outside_m_max = fmax(seen->outside_m_max, outside_m);
}

// Half the gap between neighbours' circles is how far a car may stray.
static void judge(const conduct *seen, const char *who) {
    double speed_mps = seen->speed_sum_mps / (double)seen->count;
    double touching = (double)seen->touching_sum / (double)seen->count;
    bool is_racing =
        speed_mps > 5.0 && touching > 3.8 && seen->outside_m_max < 0.5 * SPACING_M - CIRCLE_M - 1.0;
    if (is_racing) {
        return;
    }
    fprintf(stderr,
            "bench_bullet: %s cars do not drive: %.2f m/s, %.2f wheels on the ground, "
            "%.1f m off their circles\n",
            who, speed_mps, touching, seen->outside_m_max);
    exit(EXIT_FAILURE);
}

typedef struct our_field {
    apex_world *world;
    apex_car_def car;
    apex_controls *controls;
    apex_car_pose *poses;
    conduct conduct;
} our_field;

static our_field create_ours(const scene_ground *ground) {
    our_field field = {.car = apex_default_car_def(),
                       .controls = calloc(CARS, sizeof *field.controls),
                       .poses = calloc(CARS, sizeof *field.poses)};
    apex_world_def def = scene_world_def(CARS);
    apex_car_type type;
    APEX_ASSERT(field.controls != NULL && field.poses != NULL);
    APEX_ASSERT(apex_world_create(&def, scene_ground_of(ground), NULL, &field.world) == APEX_OK);
    APEX_ASSERT(apex_world_add_type(field.world, &field.car, &type) == APEX_OK);
    for (uint32_t i = 0; i < CARS; i++) {
        peer_pose start = start_of(i);
        apex_placement at = {.x_m = start.x_m,
                             .y_m = start.y_m,
                             .yaw_rad = start.yaw_rad,
                             .speed_mps = start.speed_mps};
        apex_car_id id;
        APEX_ASSERT(apex_world_add_car(field.world, type, &at, &id) == APEX_OK);
        field.controls[i].gear = APEX_GEAR_AUTOMATIC;
    }
    return field;
}

static void drive_ours(our_field *field) {
    double wheelbase_m = field->car.axles[0].x_m - field->car.axles[1].x_m;
    APEX_ASSERT(apex_world_poses(field->world, field->poses, CARS) == CARS);
    for (uint32_t i = 0; i < CARS; i++) {
        const apex_car_pose *seen = &field->poses[i];
        peer_pose pose = {.x_m = seen->position_m[0],
                          .y_m = seen->position_m[1],
                          .yaw_rad = seen->yaw_rad,
                          .speed_mps = seen->velocity_mps[0] * cos(seen->yaw_rad) +
                                       seen->velocity_mps[1] * sin(seen->yaw_rad),
                          .wheels_touching = seen->airborne ? 0 : seen->wheel_count};
        pedals wish = drive(i, &pose, wheelbase_m);
        double lock = clamp(wish.steer_rad / field->car.steering.angle_rad_max, -1.0, 1.0);
        field->controls[i].steer = (int16_t)lrint(lock * APEX_STEER_MAX);
        field->controls[i].throttle = (uint8_t)lrint(255.0 * wish.throttle);
        watch(&field->conduct, i, &pose);
    }
}

static double run_ours(our_field *field, uint32_t ticks) {
    double spent_us = 0.0;
    for (uint32_t i = 0; i < ticks; i++) {
        size_t contacts;
        drive_ours(field);
        double begin_us = thread_us();
        apex_world_step(field->world, field->controls, NULL);
        spent_us += thread_us() - begin_us;
        (void)apex_world_contacts(field->world, &contacts);
        APEX_ASSERT(contacts == 0);
    }
    return spent_us / ((double)ticks * CARS);
}

static void destroy_ours(our_field *field) {
    apex_world_destroy(field->world);
    free(field->controls);
    free(field->poses);
}

typedef struct their_field {
    peer_bullet *peer;
    peer_car car;
    conduct conduct;
} their_field;

static double hill(const void *ctx, double x_m, double y_m) {
    return apex_ground_at(ctx, x_m, y_m, 0.0).height_m;
}

// The same car as far as Bullet knows one. Its chassis is a box about the centre of mass, low
// enough to hold our hull's floor off the ground.
static their_field create_theirs(const scene_ground *ground, peer_setup setup) {
    const apex_car_def def = apex_default_car_def();
    peer_scene scene = {
        .setup = setup, .half_m = HALF_M, .height = hill, .height_ctx = scene_ground_of(ground)};
    their_field field = {.peer = peer_bullet_create(&scene),
                         .car = {.mass_kg = def.mass_kg,
                                 .length_m = def.hull.length_m,
                                 .width_m = def.hull.width_m,
                                 .height_m = def.hull.height_m - 2.0 * def.hull.centre_z_m,
                                 .front_x_m = def.axles[0].x_m,
                                 .rear_x_m = def.axles[1].x_m,
                                 .track_width_m = def.axles[0].track_width_m,
                                 .com_height_m = def.com_height_m,
                                 .wheel_radius_m = def.axles[0].tyre.radius_m}};
    for (uint32_t i = 0; i < CARS; i++) {
        peer_pose start = start_of(i);
        peer_bullet_add(field.peer, &field.car, &start);
    }
    return field;
}

static double run_theirs(their_field *field, uint32_t ticks) {
    double wheelbase_m = field->car.front_x_m - field->car.rear_x_m, spent_us = 0.0;
    for (uint32_t i = 0; i < ticks; i++) {
        for (uint32_t c = 0; c < CARS; c++) {
            peer_pose pose = peer_bullet_pose(field->peer, c);
            pedals wish = drive(c, &pose, wheelbase_m);
            peer_bullet_drive(field->peer, c, wish.steer_rad, wish.throttle);
            watch(&field->conduct, c, &pose);
        }
        double begin_us = thread_us();
        peer_bullet_step(field->peer, 1.0 / TICK_HZ);
        spent_us += thread_us() - begin_us;
    }
    return spent_us / ((double)ticks * CARS);
}

static void measure_both(const scene_ground *ground) {
    our_field ours = create_ours(ground);
    their_field theirs = create_theirs(ground, SETUP);
    double our_us[WINDOWS], their_us[WINDOWS];
    (void)run_ours(&ours, WARM_TICKS);
    (void)run_theirs(&theirs, WARM_TICKS);
    ours.conduct = theirs.conduct = (conduct){0};
    for (uint32_t w = 0; w < WINDOWS; w++) {
        their_us[w] = run_theirs(&theirs, WINDOW_TICKS);
        our_us[w] = run_ours(&ours, WINDOW_TICKS);
    }
    judge(&ours.conduct, "our");
    judge(&theirs.conduct, "Bullet's");
    double our_median_us = median(our_us, WINDOWS), their_median_us = median(their_us, WINDOWS);
    printf("physics.bullet_step_us.%d %.4f us\n", CARS, their_median_us);
    printf("physics.car_step.vs_bullet.%d %.3f ratio\n", CARS, their_median_us / our_median_us);
    destroy_ours(&ours);
    peer_bullet_destroy(theirs.peer);
}

static void measure_setups(const scene_ground *ground) {
    static const struct {
        const char *name;
        peer_setup setup;
    } SETUPS[] = {
        {"plane", {.ground = PEER_GROUND_PLANE}},
        {"plane.rays", {.ground = PEER_GROUND_PLANE, .rays_to_ground = true}},
        {"mesh_2m", {.ground = PEER_GROUND_MESH, .cell_m = 2.0}},
        {"mesh_4m", {.ground = PEER_GROUND_MESH, .cell_m = 4.0}},
        {"mesh_8m", {.ground = PEER_GROUND_MESH, .cell_m = 8.0}},
        {"heights_1m", {.ground = PEER_GROUND_HEIGHTFIELD, .cell_m = 1.0}},
        {"heights_2m", {.ground = PEER_GROUND_HEIGHTFIELD, .cell_m = 2.0}},
        {"heights_4m", {.ground = PEER_GROUND_HEIGHTFIELD, .cell_m = 4.0}},
        {"heights_8m", {.ground = PEER_GROUND_HEIGHTFIELD, .cell_m = 8.0}},
        {"heights_4m.sweep", {.ground = PEER_GROUND_HEIGHTFIELD, .cell_m = 4.0, .sweep_3d = true}},
        {"heights_4m.rays",
         {.ground = PEER_GROUND_HEIGHTFIELD, .cell_m = 4.0, .rays_to_ground = true}},
    };
    for (size_t i = 0; i < sizeof SETUPS / sizeof *SETUPS; i++) {
        their_field theirs = create_theirs(ground, SETUPS[i].setup);
        double us[WINDOWS];
        (void)run_theirs(&theirs, WARM_TICKS);
        theirs.conduct = (conduct){0};
        for (uint32_t w = 0; w < WINDOWS; w++) {
            us[w] = run_theirs(&theirs, WINDOW_TICKS);
        }
        judge(&theirs.conduct, SETUPS[i].name);
        printf("physics.bullet_step_us.%d.%s %.4f us\n", CARS, SETUPS[i].name, median(us, WINDOWS));
        fflush(stdout);
        peer_bullet_destroy(theirs.peer);
    }
}

int main(int argc, char **argv) {
    scene_ground *ground = scene_ground_create_hills(HALF_M);
    if (argc == 2 && strcmp(argv[1], "--setups") == 0) {
        measure_setups(ground);
    } else if (windows_is_wanted(argc, argv, "physics.bullet_step_us") ||
               windows_is_wanted(argc, argv, "physics.car_step.vs_bullet")) {
        measure_both(ground);
    }
    scene_ground_destroy(ground);
    return EXIT_SUCCESS;
}
