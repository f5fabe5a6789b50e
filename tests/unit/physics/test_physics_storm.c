// Cars nobody would build, as long as the check of a definition lets them pass, driven by a
// generator: none may leave the finite numbers, and none may gain speed from nothing.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { HERD = 8, STORM_TICKS = 240, CHANGES = 60 };

#define CAR(field)  offsetof(apex_car_def, field)
#define AXLE(field) offsetof(apex_axle_def, field)

static const size_t CAR_FIELDS[] = {
    CAR(mass_kg),
    CAR(inertia_yaw_kgm2),
    CAR(com_height_m),
    CAR(fuel_kg_max),
    CAR(engine.idle_rpm),
    CAR(engine.limiter_rpm),
    CAR(engine.blow_rpm),
    CAR(engine.inertia_kgm2),
    CAR(engine.brake_nm_per_rps),
    CAR(engine.turbo_lag_s),
    CAR(engine.turbo_share),
    CAR(engine.fuel_kg_per_mj),
    CAR(gearbox.ratio[0]),
    CAR(gearbox.ratio[5]),
    CAR(gearbox.reverse_ratio),
    CAR(gearbox.final_drive),
    CAR(gearbox.efficiency),
    CAR(gearbox.shift_time_s),
    CAR(gearbox.shift_up_rpm),
    CAR(gearbox.shift_down_rpm),
    CAR(gearbox.clutch_nm_max),
    CAR(centre_differential.preload_nm),
    CAR(centre_differential.power_bias),
    CAR(centre_differential.viscous_nms_per_rad),
    CAR(steering.angle_rad_max),
    CAR(steering.rate_radps_max),
    CAR(steering.ackermann),
    CAR(steering.fade_speed_mps),
    CAR(aero.drag_coefficient),
    CAR(aero.frontal_area_m2),
    CAR(aero.lift_front_m2),
    CAR(aero.lift_rear_m2),
    CAR(aero.drag_height_m),
    CAR(aids.abs),
    CAR(aids.traction_control),
    CAR(aids.stability_control),
    CAR(hull.length_m),
    CAR(hull.width_m),
    CAR(hull.height_m),
    CAR(hull.centre_x_m),
    CAR(hull.centre_y_m),
    CAR(hull.restitution),
    CAR(hull.friction),
    CAR(kinematic.acceleration_mps2_max),
    CAR(kinematic.speed_mps_max),
};

static const size_t AXLE_FIELDS[] = {
    AXLE(x_m),
    AXLE(track_width_m),
    AXLE(steer_share),
    AXLE(differential.preload_nm),
    AXLE(differential.power_bias),
    AXLE(differential.coast_bias),
    AXLE(differential.viscous_nms_per_rad),
    AXLE(suspension.spring_n_per_m),
    AXLE(suspension.bump_ns_per_m),
    AXLE(suspension.rebound_ns_per_m),
    AXLE(suspension.travel_bump_m),
    AXLE(suspension.travel_rebound_m),
    AXLE(suspension.bump_stop_n_per_m),
    AXLE(suspension.anti_roll_n_per_m),
    AXLE(suspension.roll_centre_height_m),
    AXLE(suspension.toe_rad),
    AXLE(suspension.camber_rad),
    AXLE(brake.torque_nm_max),
    AXLE(brake.handbrake_nm_max),
    AXLE(brake.heat_capacity_j_per_k),
    AXLE(tyre.radius_m),
    AXLE(tyre.longitudinal.b),
    AXLE(tyre.longitudinal.c),
    AXLE(tyre.longitudinal.d),
    AXLE(tyre.longitudinal.e),
    AXLE(tyre.longitudinal.stiffness),
    AXLE(tyre.longitudinal.relaxation_m),
    AXLE(tyre.lateral.b),
    AXLE(tyre.lateral.c),
    AXLE(tyre.lateral.d),
    AXLE(tyre.lateral.e),
    AXLE(tyre.lateral.stiffness),
    AXLE(tyre.lateral.relaxation_m),
    AXLE(tyre.load_nominal_n),
    AXLE(tyre.load_sensitivity),
    AXLE(tyre.camber_stiffness),
    AXLE(tyre.pneumatic_trail_m),
    AXLE(tyre.rolling_coefficient),
    AXLE(tyre.rolling_coefficient_s_per_m),
    AXLE(tyre.vertical_stiffness_n_per_m),
    AXLE(tyre.slide_force_ratio),
    AXLE(tyre.inertia_kgm2),
    AXLE(tyre.temperature_window_c),
    AXLE(tyre.heat_capacity_j_per_k),
    AXLE(tyre.wear_per_mj),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void change(uint64_t *random, void *base, size_t offset) {
    double value;
    memcpy(&value, (char *)base + offset, sizeof value);
    double factor = exp(scene_random_between(random, -3.0, 3.0));
    value = value == 0.0 ? scene_random_between(random, -1.0, 1.0) : value * factor;
    memcpy((char *)base + offset, &value, sizeof value);
}

// A walk away from a sound car, one field at a time, that turns back where the check says so.
static apex_car_def wild_car(uint64_t *random) {
    apex_car_def def = scene_car_kind((uint32_t)(scene_random(random) % SCENE_KINDS));
    for (int i = 0; i < CHANGES; i++) {
        apex_car_def next = def;
        if (scene_random(random) % 2 == 0) {
            change(random, &next, CAR_FIELDS[scene_random(random) % COUNT(CAR_FIELDS)]);
        } else {
            change(random, &next.axles[scene_random(random) % next.axle_count],
                   AXLE_FIELDS[scene_random(random) % COUNT(AXLE_FIELDS)]);
        }
        if (apex_car_def_check(&next, NULL)) {
            def = next;
        }
    }
    return def;
}

static double speed_of(const apex_car_state *state) {
    const double *v = state->velocity_mps;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void check_car(const apex_world *world, apex_car_id car, uint64_t seed) {
    apex_car_state state;
    apex_car_work work;
    ck_assert(apex_world_get_car(world, car, &state));
    ck_assert(apex_world_get_work(world, car, &work));
    ck_assert_msg(isfinite(speed_of(&state)) && isfinite(state.engine_radps), "car of seed %llu",
                  (unsigned long long)seed);
    for (int w = 0; w < APEX_WHEELS_MAX; w++) {
        ck_assert_msg(isfinite(work.wheels[w].load_n) && work.wheels[w].load_n >= 0.0 &&
                          isfinite(work.wheels[w].force_long_n) &&
                          isfinite(work.wheels[w].force_lat_n),
                      "wheel %d of a car of seed %llu", w, (unsigned long long)seed);
    }
}

static apex_controls some_controls(uint64_t *random) {
    apex_controls controls;
    uint64_t bits[2] = {scene_random(random), scene_random(random)};
    memcpy(&controls, bits, sizeof controls);
    if (scene_random(random) % 2 == 0) {
        controls.gear = APEX_GEAR_AUTOMATIC;
        controls.throttle = 255;
        controls.clutch = controls.brake = controls.handbrake = 0;
    }
    return controls;
}

/// Wild cars in one world, of seeds two apart. They are ghosts, so that each drives as if it were
/// alone, and a block of them takes no longer than one.
typedef struct herd {
    apex_world *world;
    uint64_t seeds[HERD], randoms[HERD]; // [slot]
    apex_car_id cars[HERD];
    apex_controls controls[HERD];
} herd;

static void add_wild(herd *of, uint32_t slot, uint64_t seed) {
    uint64_t *random = &of->randoms[slot];
    apex_car_type type;
    of->seeds[slot] = *random = seed;
    apex_car_def car = wild_car(random);
    ck_assert_int_eq(apex_world_add_type(of->world, &car, &type), APEX_OK);
    apex_placement at = {.speed_mps = scene_random_between(random, -5.0, 60.0)};
    ck_assert_int_eq(apex_world_add_car(of->world, type, &at, &of->cars[slot]), APEX_OK);
    ck_assert_uint_eq(of->cars[slot].index1, slot + 1);
    apex_world_ghost_car(of->world, of->cars[slot], true);
}

static void check_herd(const herd *of) {
    for (uint32_t slot = 0; slot < HERD; slot++) {
        check_car(of->world, of->cars[slot], of->seeds[slot]);
    }
    size_t count;
    const apex_car_event *events = apex_world_car_events(of->world, &count);
    for (size_t e = 0; e < count; e++) {
        ck_assert_msg(events[e].kind != APEX_CAR_STOPPED_BAD, "car of seed %llu had to be stopped",
                      (unsigned long long)of->seeds[events[e].car.index1 - 1]);
    }
}

static void drive_wild(uint64_t first_seed, const apex_ground *ground) {
    herd wild = {.world = NULL};
    apex_world_def def = scene_world_def(HERD);
    def.fuel_burns = def.tyres_wear = def.temperatures = true;
    def.damage = APEX_DAMAGE_FULL;
    ck_assert_int_eq(apex_world_create(&def, ground, NULL, &wild.world), APEX_OK);
    for (uint32_t slot = 0; slot < HERD; slot++) {
        add_wild(&wild, slot, first_seed + 2 * slot);
    }
    for (int tick = 0; tick < STORM_TICKS; tick++) {
        for (uint32_t slot = 0; slot < HERD && tick % 15 == 0; slot++) {
            wild.controls[slot] = some_controls(&wild.randoms[slot]);
        }
        apex_world_step(wild.world, wild.controls, NULL);
        check_herd(&wild);
    }
    apex_world_destroy(wild.world);
}

TEST(whatever_passes_the_check_stays_finite) {
    scene_ground *hills = scene_ground_create_hills(200.0);
    const uint64_t herds = (uint64_t)check_cases(25);
    for (uint64_t n = 0; n < herds; n++) {
        uint64_t first_seed = 1 + 2 * HERD * n;
        drive_wild(first_seed, scene_ground_of(hills));
        drive_wild(first_seed + 1, scene_flat());
    }
    scene_ground_destroy(hills);
}
