// The part of the road that other cars leave.
#pragma once

#include "driver/plan/plan_stations.h"

typedef struct driver_room {
    double offset_m;                   // from the centre line, where to go
    double offset_m_min, offset_m_max; // of the road there
    double speed_mps;                  // not more than this
    bool along_road;                   // offset_m is to be held, wherever the line goes
    bool holds_up;                     // somebody close behind, and nobody is ahead
    bool follows;                      // somebody is ahead
} driver_room;

// @return whether the road is straight here and so far ahead, and nobody brakes: a place to pass.
bool driver_traffic_passable(const apex_driver_plan *plan, double s_m, double room_m);

// @param heading unit vector of the car's nose. @return the wish, as far as others let it.
driver_room driver_traffic(const apex_driver_plan *plan, const apex_driver_view *view,
                           const apex_track_place *own, const double heading[2], driver_room wish);
