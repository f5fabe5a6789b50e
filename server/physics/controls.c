// Controls in, placement and events: what touches a car between substeps.

#include "physics/car_private.h"

#include "base/assert.h"
#include "base/trig.h"

#include <string.h>

// Counters wrap at 256; a step of 128 or more is an old sample or another driver, not a shift.
static int32_t count_rise(uint8_t now, uint8_t seen) {
    uint8_t rise = (uint8_t)(now - seen);
    return rise < 128 ? rise : 0;
}

static void read_counters(apex_world *world, uint32_t slot, const apex_controls *controls) {
    physics_car *car = &world->cars[slot];
    if (car->counters_known) {
        int32_t up = count_rise(controls->shift_up_count, car->shift_up_seen);
        int32_t down = count_rise(controls->shift_down_count, car->shift_down_seen);
        if (controls->gear == APEX_GEAR_SEQUENTIAL && up != down && !car->held) {
            int32_t highest = world->types[car->type].gearbox.gear_count;
            int32_t gear = car->gear + up - down;
            gear = gear > highest ? highest : gear;
            gear = gear < APEX_GEAR_REVERSE ? APEX_GEAR_REVERSE : gear;
            physics_gearbox_request(world, slot, gear);
        }
        if (count_rise(controls->reset_count, car->reset_seen) > 0) {
            physics_event_raise(world, slot, APEX_CAR_RESET_WANTED, 0.0);
        }
    }
    car->shift_up_seen = controls->shift_up_count;
    car->shift_down_seen = controls->shift_down_count;
    car->reset_seen = controls->reset_count;
    car->counters_known = true;
}

void physics_car_begin_tick(apex_world *world, uint32_t slot, const apex_controls *controls) {
    int32_t steer = controls->steer < -APEX_STEER_MAX ? -APEX_STEER_MAX : controls->steer;
    world->inputs[slot] = (physics_input){
        .steer = (real)steer / (real)APEX_STEER_MAX,
        .throttle = (real)controls->throttle / R(255.0),
        .brake = (real)controls->brake / R(255.0),
        .clutch = (real)controls->clutch / R(255.0),
        .handbrake = (real)controls->handbrake / R(255.0),
        .gear = controls->gear,
        .aids_off = controls->aids_off,
    };
    read_counters(world, slot, controls);
}

static int8_t gear_for_speed(const physics_car *car, const physics_type *type) {
    int8_t gear = 1;
    while (gear < type->gearbox.gear_count &&
           physics_gearbox_input_radps(car, type, gear) > R(0.9) * type->gearbox.up_radps) {
        gear++;
    }
    return gear;
}

static void stop_motion(physics_car *car, const physics_type *type) {
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
        physics_wheel *wheel = &car->wheels[w];
        wheel->spin_radps = R(0.0);
        wheel->deflection_long_m = R(0.0);
        wheel->deflection_lat_m = R(0.0);
        wheel->travel_m = R(0.0);
        wheel->travel_mps = R(0.0);
    }
    memset(car->velocity_mps, 0, sizeof car->velocity_mps);
    memset(car->angular_radps, 0, sizeof car->angular_radps);
    memset(car->acceleration_mps2, 0, sizeof car->acceleration_mps2);
    car->steer_rad = R(0.0);
    car->lean_rad = R(0.0);
    car->lean_radps = R(0.0);
    car->boost = R(0.0);
    car->shift_left_s = R(0.0);
    car->airborne = false;
    car->gear = type->gearbox.automatic ? 1 : APEX_GEAR_NEUTRAL;
    car->engine_radps = car->engine_blown ? R(0.0) : type->engine.idle_radps;
}

void physics_car_place(apex_world *world, uint32_t slot, const apex_placement *at) {
    physics_car *car = &world->cars[slot];
    const physics_type *type = &world->types[car->type];
    stop_motion(car, type);
    double heading[2];
    apex_sincos(at->yaw_rad, &heading[1], &heading[0]);
    car->position_m[0] = at->x_m;
    car->position_m[1] = at->y_m;
    car->position_m[2] = at->z_m + (double)type->com_height_m;
    physics_car_face(car, heading[0], heading[1]);
    // The stance is sampled as a step would, so that a car placed on a slope neither drops nor
    // hops.
    physics_car_step step = {
        .world = world, .slot = slot, .type = type, .car = car, .work = &world->works[slot]};
    physics_stance_sample(&step);
    car->position_m[2] += (double)step.work->ground_height_m;
    double height = (double)type->com_height_m;
    car->position_m[2] += height * (1.0 / (double)step.normal[2] - 1.0);
    const double up[3] = {(double)step.normal[0], (double)step.normal[1], (double)step.normal[2]};
    physics_car_orient(car, heading, up);
    real speed = (real)at->speed_mps;
    for (uint32_t i = 0; i < 3; i++) {
        car->velocity_mps[i] = step.forward[i] * speed;
    }
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        car->wheels[w].spin_radps = speed / type->axles[type->wheels[w].axle].tyre.radius_m;
    }
    if (speed > R(0.0) && type->gearbox.automatic) {
        car->gear = gear_for_speed(car, type);
        real input = physics_gearbox_input_radps(car, type, car->gear);
        car->engine_radps = real_clamp(input, car->engine_radps, type->engine.limiter_radps);
    }
    car->gear_before = car->gear;
}

void physics_event_raise(apex_world *world, uint32_t slot, apex_car_event_kind kind, double value) {
    APEX_ASSERT((uint32_t)kind < PHYSICS_EVENT_KINDS);
    world->event_bits[slot] |= 1u << kind;
    world->event_values[(size_t)slot * PHYSICS_EVENT_KINDS + kind] = value;
}

void physics_events_clear(apex_world *world) {
    memset(world->event_bits, 0, world->def.car_capacity * sizeof *world->event_bits);
    world->event_count = 0;
}

void physics_events_gather(apex_world *world) {
    for (uint32_t slot = 0; slot < world->def.car_capacity; slot++) {
        if (world->event_bits[slot] == 0) {
            continue;
        }
        apex_pool_ref ref = apex_pool_ref_at(&world->pool, slot);
        apex_car_id id = {(uint16_t)ref.index1, (uint16_t)ref.generation};
        for (uint32_t kind = 0; kind < PHYSICS_EVENT_KINDS; kind++) {
            if (world->event_bits[slot] & (1u << kind)) {
                world->events[world->event_count++] = (apex_car_event){
                    .car = id,
                    .kind = (apex_car_event_kind)kind,
                    .value = world->event_values[(size_t)slot * PHYSICS_EVENT_KINDS + kind],
                };
            }
        }
    }
}
