/// A world with one car on it that is driven by demands and read after each tick.
#pragma once

#include "proving/rig/practice_ground.h"

#define PROVING_TICK_S (1.0 / APEX_PROVING_HZ)

/// The driver's demands, in real numbers. The rig rounds them to controls and carries the rounding
/// error on, so that a mean throttle is exact to far less than 1/255.
typedef struct proving_demand {
    double steer; ///< -1 right .. 1 left
    double throttle, brake, clutch;
    int8_t gear;
    uint8_t aids_off;
} proving_demand;

typedef struct proving_rig {
    const apex_car_def *car;
    apex_world *world;
    proving_ground *ground;
    apex_car_id id;
    double wheelbase_m; ///< from the steered axle to the middle of those that are not
    double lock_rad;
    proving_demand demand;
    double carried[3]; ///< rounding errors of steer, throttle, brake

    uint64_t ticks; ///< since the clock was started
    double distance_m;
    apex_car_pose pose;
    apex_car_work work;
    apex_car_state state;
    double speed_mps;   ///< over ground, horizontal
    double forward_mps; ///< along the heading, horizontal
    double ax_mps2, ay_mps2;
    double yaw_rate_radps; ///< of the heading, whichever way the body leans
    double slip_angle_rad;

    apex_samples *samples; ///< or NULL
    uint32_t sample_every;
    bool recording;
} proving_rig;

/// @return APEX_ERR_INVALID if the car is refused, APEX_ERR_NO_MEMORY; the rig is then closed.
apex_err proving_rig_open(proving_rig *rig, const apex_car_def *car, const proving_site *site);
void proving_rig_close(proving_rig *rig);
/// Puts the car down, hands off, and starts the clock.
void proving_rig_place(proving_rig *rig, const apex_placement *at);
void proving_rig_start_clock(proving_rig *rig);
/// Throws away what was recorded and records from now on, if there is anywhere to.
void proving_rig_record(proving_rig *rig);
void proving_rig_step(proving_rig *rig);
double proving_rig_time_s(const proving_rig *rig);
double proving_rig_rpm(const proving_rig *rig);
/// Sum over the wheels of an axle, or of all for APEX_AXLES_MAX.
double proving_rig_load_n(const proving_rig *rig, uint32_t axle);
/// Of the car with what fuel is in it.
double proving_rig_weight_n(const proving_rig *rig);
/// Neither on its side nor spinning round.
bool proving_rig_is_in_hand(const proving_rig *rig);
