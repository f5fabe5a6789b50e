// A plan's stations: the line and its speeds, one by one.
#pragma once

#include "driver/plan/car_model.h"

typedef struct driver_station {
    double x_m, y_m; // of the line
    double centre_x_m, centre_y_m;
    double normal_x, normal_y;   // to the left of the centre line
    double tangent_x, tangent_y; // along the line
    double offset_m;             // of the line from the centre line
    double offset_m_min, offset_m_max;
    double curvature_per_m; // of the line
    double friction;        // of the surface
    double banking_rad, slope_rad;
    double crest_per_m; // change of slope with distance; negative over a crest
    double leap_mps;    // a crest is taken no faster
    double speed_mps;
    double middle_curvature_per_m; // of the centre line
    double middle_mps;             // speed for a car that keeps to the middle of the road
} driver_station;

struct apex_driver_plan {
    const apex_track *track;
    driver_car car;
    bool closed;
    double first_s_m; // lap distance of station 0
    double step_m;
    uint32_t count;
    driver_station *stations;
};

// A plan at one lap distance, between stations.
typedef struct driver_point {
    double tangent_x, tangent_y; // nearly a unit vector
    double offset_m, offset_m_min, offset_m_max;
    double curvature_per_m;
    double speed_mps;
    double middle_curvature_per_m, middle_mps;
    double banking_rad; // of the road, left edge up positive
    double friction;    // of the surface
    double climb_mps2;  // of gravity, along the road
    double crest_per_m;
    double acceleration_mps2; // along the plan
} driver_point;
