// Two cars of a snapshot are the same if all their fields are.
#include "support/proto/wire_cars.h"

bool wire_cars_equal(const apex_wire_car *a, const apex_wire_car *b) {
    return a->id == b->id && a->x_mm == b->x_mm && a->y_mm == b->y_mm && a->z_mm == b->z_mm &&
           a->yaw_q == b->yaw_q && a->pitch_q == b->pitch_q && a->roll_q == b->roll_q &&
           a->vx_cmps == b->vx_cmps && a->vy_cmps == b->vy_cmps && a->vz_cmps == b->vz_cmps &&
           a->yaw_rate_q == b->yaw_rate_q && a->steer_q == b->steer_q && a->rpm == b->rpm &&
           a->gear == b->gear && a->throttle == b->throttle && a->brake == b->brake &&
           a->flags == b->flags && a->damage == b->damage && a->damage_zones == b->damage_zones;
}
