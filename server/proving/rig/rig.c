// A world with one car. The driver's demands go in as controls, what the car did is read back.
#include "proving/rig/rig.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/trig.h"
#include "proving/rig/practice_ground.h"
#include "proving/rig/units.h"

// Turning without slip happens about the middle of the axles that do not steer.
static double steered_wheelbase_m(const apex_car_def *car) {
    double steered = car->axles[0].x_m, fixed = 0.0;
    uint32_t fixed_count = 0;
    for (uint32_t a = 0; a < car->axle_count; a++) {
        if (car->axles[a].steer_share == 0.0) {
            fixed += car->axles[a].x_m;
            fixed_count++;
        }
    }
    double last = car->axles[car->axle_count - 1].x_m;
    return steered - (fixed_count > 0 ? fixed / fixed_count : last);
}

static apex_err add_car(proving_rig *rig) {
    apex_world_def def = apex_default_world_def();
    def.car_capacity = 1;
    def.type_capacity = 1;
    def.tick_hz = APEX_PROVING_HZ;
    def.substep_hz = APEX_PROVING_HZ;
    def.gravity_mps2 = APEX_EARTH_MPS2;
    apex_car_type type;
    const apex_placement origin = {0};
    apex_err err = apex_world_create(&def, proving_ground_of(rig->ground), NULL, &rig->world);
    if (err == APEX_OK) {
        err = apex_world_add_type(rig->world, rig->car, &type);
    }
    return err == APEX_OK ? apex_world_add_car(rig->world, type, &origin, &rig->id) : err;
}

apex_err proving_rig_open(proving_rig *rig, const apex_car_def *car, const proving_site *site) {
    *rig = (proving_rig){
        .car = car,
        .wheelbase_m = steered_wheelbase_m(car),
        .lock_rad = car->steering.angle_rad_max,
        .sample_every = 1,
    };
    rig->ground = proving_ground_create(site);
    apex_err err = rig->ground != NULL ? add_car(rig) : APEX_ERR_NO_MEMORY;
    if (err != APEX_OK) {
        proving_rig_close(rig);
    }
    return err;
}

void proving_rig_close(proving_rig *rig) {
    apex_world_destroy(rig->world);
    proving_ground_destroy(rig->ground);
    rig->world = NULL;
    rig->ground = NULL;
}

static void read_car(proving_rig *rig) {
    const double before[2] = {rig->pose.velocity_mps[0], rig->pose.velocity_mps[1]};
    const double yaw_before = rig->pose.yaw_rad;
    bool has_pose = apex_world_pose(rig->world, rig->id, &rig->pose);
    bool has_work = apex_world_get_work(rig->world, rig->id, &rig->work);
    bool has_state = apex_world_get_car(rig->world, rig->id, &rig->state);
    APEX_ASSERT(has_pose && has_work && has_state);
    const double *velocity = rig->pose.velocity_mps;
    double s, c;
    apex_sincos(rig->pose.yaw_rad, &s, &c);
    rig->speed_mps = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]);
    rig->forward_mps = velocity[0] * c + velocity[1] * s;
    double leftward = velocity[1] * c - velocity[0] * s;
    // Creeping on its tyres, a car travels in no direction worth naming.
    rig->slip_angle_rad = rig->speed_mps > 0.5 ? apex_atan2(leftward, rig->forward_mps) : 0.0;
    double dx = (velocity[0] - before[0]) / PROVING_TICK_S;
    double dy = (velocity[1] - before[1]) / PROVING_TICK_S;
    rig->yaw_rate_radps = apex_wrap_angle(rig->pose.yaw_rad - yaw_before) / PROVING_TICK_S;
    rig->ax_mps2 = dx * c + dy * s;
    rig->ay_mps2 = dy * c - dx * s;
}

static void record(proving_rig *rig) {
    apex_samples *to = rig->samples;
    if (!rig->recording || to == NULL || rig->ticks % rig->sample_every != 0 ||
        to->count == to->capacity) {
        return;
    }
    apex_sample *sample = &to->samples[to->count++];
    *sample = (apex_sample){
        .time_s = proving_rig_time_s(rig),
        .x_m = rig->pose.position_m[0],
        .y_m = rig->pose.position_m[1],
        .z_m = rig->pose.position_m[2],
        .speed_mps = rig->speed_mps,
        .yaw_rad = rig->pose.yaw_rad,
        .yaw_rate_radps = rig->yaw_rate_radps,
        .ax_mps2 = rig->ax_mps2,
        .ay_mps2 = rig->ay_mps2,
        .slip_angle_rad = rig->slip_angle_rad,
        .roll_rad = rig->pose.roll_rad,
        .pitch_rad = rig->pose.pitch_rad,
        .steer_rad = rig->pose.steer_rad,
        .throttle = rig->pose.throttle,
        .brake = rig->pose.brake,
        .engine_rpm = proving_rig_rpm(rig),
        .gear = rig->pose.gear,
    };
    for (uint32_t w = 0; w < rig->pose.wheel_count; w++) {
        sample->load_n[w] = rig->work.wheels[w].load_n;
    }
}

double proving_rig_time_s(const proving_rig *rig) {
    return (double)rig->ticks / APEX_PROVING_HZ;
}

double proving_rig_rpm(const proving_rig *rig) {
    return rig->pose.engine_radps / PROVING_RPM;
}

double proving_rig_load_n(const proving_rig *rig, uint32_t axle) {
    double sum = 0.0;
    uint32_t wheel = 0;
    for (uint32_t a = 0; a < rig->car->axle_count; a++) {
        uint32_t count = rig->car->axles[a].track_width_m > 0.0 ? 2 : 1;
        for (uint32_t w = wheel; w < wheel + count; w++) {
            sum += axle == a || axle == APEX_AXLES_MAX ? rig->work.wheels[w].load_n : 0.0;
        }
        wheel += count;
    }
    return sum;
}

double proving_rig_weight_n(const proving_rig *rig) {
    return (rig->car->mass_kg + rig->state.fuel_kg + rig->state.ballast_kg) * APEX_EARTH_MPS2;
}

bool proving_rig_is_in_hand(const proving_rig *rig) {
    const double SPUN_RAD = 0.7, CAR_UP = 0.6, MOTORCYCLE_UP = 0.25;
    const double *q = rig->pose.orientation;
    double up = 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]);
    bool is_motorcycle = rig->car->model == APEX_CAR_MOTORCYCLE;
    return up > (is_motorcycle ? MOTORCYCLE_UP : CAR_UP) && fabs(rig->slip_angle_rad) < SPUN_RAD;
}

static double round_to(double demand, double levels, double *carried) {
    double wanted = demand * levels + *carried;
    // Away from zero at halves on either side, so that left and right mirror.
    double level = wanted < 0.0 ? -floor(0.5 - wanted) : floor(wanted + 0.5);
    level = proving_clamp(level, -levels, levels);
    *carried = proving_clamp(wanted - level, -1.0, 1.0);
    return level;
}

static double round_pedal(double demand, double *carried) {
    if (demand <= 0.0 || demand >= 1.0) {
        *carried = 0.0;
        return demand <= 0.0 ? 0.0 : 255.0;
    }
    return proving_clamp(round_to(demand, 255.0, carried), 0.0, 255.0);
}

static apex_controls controls_of(proving_rig *rig) {
    const proving_demand *demand = &rig->demand;
    double steer = proving_clamp(demand->steer, -1.0, 1.0);
    return (apex_controls){
        .steer = (int16_t)round_to(steer, APEX_STEER_MAX, &rig->carried[0]),
        .throttle = (uint8_t)round_pedal(demand->throttle, &rig->carried[1]),
        .brake = (uint8_t)round_pedal(demand->brake, &rig->carried[2]),
        .clutch = (uint8_t)(proving_clamp(demand->clutch, 0.0, 1.0) * 255.0 + 0.5),
        .gear = demand->gear,
        .aids_off = demand->aids_off,
    };
}

void proving_rig_start_clock(proving_rig *rig) {
    rig->ticks = 0;
    rig->distance_m = 0.0;
}

void proving_rig_place(proving_rig *rig, const apex_placement *at) {
    apex_world_place_car(rig->world, rig->id, at);
    // The assist would take the wheel out of the tester's hands.
    rig->demand = (proving_demand){.gear = APEX_GEAR_AUTOMATIC, .aids_off = APEX_AID_STEERING};
    memset(rig->carried, 0, sizeof rig->carried);
    rig->recording = false;
    read_car(rig);
    // The figures of the car's former place say nothing about this one.
    memset(&rig->work, 0, sizeof rig->work);
    rig->ax_mps2 = rig->ay_mps2 = rig->yaw_rate_radps = 0.0;
    proving_rig_start_clock(rig);
}

void proving_rig_record(proving_rig *rig) {
    if (rig->samples != NULL) {
        rig->samples->count = 0;
    }
    rig->recording = true;
    record(rig);
}

void proving_rig_step(proving_rig *rig) {
    apex_controls controls = controls_of(rig);
    apex_world_step(rig->world, &controls, NULL);
    const double before[2] = {rig->pose.position_m[0], rig->pose.position_m[1]};
    read_car(rig);
    double dx = rig->pose.position_m[0] - before[0], dy = rig->pose.position_m[1] - before[1];
    rig->distance_m += sqrt(dx * dx + dy * dy);
    rig->ticks++;
    record(rig);
}
