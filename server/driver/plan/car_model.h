// A car as its driver knows it: how much it can corner, pull and brake.
#pragma once

#include "driver/driver.h"

// The axles ahead of the centre of mass, or those behind it, taken together.
typedef struct driver_axle {
    double weight_share, brake_share, drive_share;
    double gains;               // load under braking: 1, or loses it: -1
    double grip_lat, grip_long; // as the car's
} driver_axle;

enum { DRIVER_SLIPS = 17 };

// The numbers of a car that planning and driving need, worked out once.
typedef struct driver_car {
    const apex_car_def *def;
    bool kinematic;
    double gravity_mps2;
    double mass_kg;
    double wheelbase_m;
    double com_height_m;
    driver_axle axles[2];   // front, rear
    double front_m, rear_m; // axles ahead of and behind the centre of mass
    double half_width_m, half_length_m;
    double steer_rad_max;
    bool leans;                    // before it turns, so it answers late
    double slip_peak_rad;          // slip angle of the front tyres' largest side force
    double slip_rad[DRIVER_SLIPS]; // for 0, 1/16 .. of it
    double grip_lat, grip_long; // force per load on dry asphalt, cornering load transfer included
    double drive_grip;          // share of the car's weight that its driven wheels carry
    double drag_n_per_mps2, downforce_n_per_mps2;
    double rolling_mps2;
    double brake_mps2_full; // deceleration of a full pedal if nothing slides
    double driven_radius_m;
} driver_car;

driver_car driver_car_of(const apex_car_def *def, double gravity_mps2);
double driver_car_rpm(const driver_car *car, uint32_t gear, double speed_mps);
double driver_car_gear_force_n(const driver_car *car, uint32_t gear, double speed_mps);
double driver_car_force_n(const driver_car *car, double speed_mps); // in the best gear
// The gear that a driver who brakes is in.
uint32_t driver_car_low_gear(const driver_car *car, double speed_mps);
// Slip angle at which the front tyres give a share of their largest side force, -1..1.
double driver_car_slip_rad(const driver_car *car, double share);
// @return the engine's braking in a gear with the throttle closed.
double driver_car_engine_mps2(const driver_car *car, uint32_t gear, double speed_mps);
