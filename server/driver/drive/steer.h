// The wheel: how far it is turned, and what the tail allows.
#pragma once

#include "driver/drive/situation.h"

// @return the slip angle of the tail, with the sign of the steering that catches it.
double driver_steer_tail_slip(const apex_driver_view *view, const driver_car *car);
double driver_steer_follow_rad(const driver_now *now); // back to the line, and along it
// @return the part of it that the tyres can use, with the steering that catches the tail.
double driver_steer_usable_rad(const driver_now *now, double steer_rad);
