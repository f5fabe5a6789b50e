// The situation: all that a driver knows when he turns the wheel and presses the pedals.
#pragma once

#include "driver/drive/traffic.h"

typedef struct driver_now {
    const apex_driver_plan *plan;
    const apex_driver_view *view;
    double heading[2]; // of the car's nose, a unit vector
    apex_track_place place;
    driver_point here, soon, preview, ahead;
    double look_m;
    driver_room room;
    bool stands;           // in his pit box
    double lane_limit_mps; // of the pit lane, where he is in it; 0: he is not
    double tail_slip;      // of the rear tyres, as a share of what they can use
    double steer_rad;
} driver_now;
