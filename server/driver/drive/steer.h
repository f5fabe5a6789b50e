// The wheel: how far it is turned, and what the tail allows.
#pragma once

#include "driver/drive/situation.h"

// How far the tail slips; it has the sign of the steering that catches it.
double driver_steer_tail_slip(const apex_driver_view *view, const driver_car *car);
double driver_steer_follow_rad(const driver_now *now); // back to the line, and along it
// What of it the tyres can use, and what catches the tail.
double driver_steer_usable_rad(const driver_now *now, double steer_rad);
