// Views are filled in from poses, as the race fills them in.
#include "support/driver/driver_view.h"

#include "base/trig.h"

apex_driver_view driver_view_alone(const apex_car_pose *own, double dt_s) {
    double c = apex_cos(own->yaw_rad);
    double s = apex_sin(own->yaw_rad);
    return (apex_driver_view){
        .dt_s = dt_s,
        .x_m = own->position_m[0],
        .y_m = own->position_m[1],
        .z_m = own->position_m[2],
        .yaw_rad = own->yaw_rad,
        .speed_mps = own->velocity_mps[0] * c + own->velocity_mps[1] * s,
        .sideways_mps = own->velocity_mps[1] * c - own->velocity_mps[0] * s,
        .yaw_rate_radps = own->angular_radps[2],
        .gear = own->gear,
        .may_go = true,
    };
}

apex_driver_neighbour driver_view_neighbour(const apex_car_pose *own, const apex_car_pose *other) {
    double c = apex_cos(own->yaw_rad);
    double s = apex_sin(own->yaw_rad);
    double x_m = other->position_m[0] - own->position_m[0];
    double y_m = other->position_m[1] - own->position_m[1];
    double ahead_m = x_m * c + y_m * s;
    double faster_mps = (own->velocity_mps[0] - other->velocity_mps[0]) * c +
                        (own->velocity_mps[1] - other->velocity_mps[1]) * s;
    return (apex_driver_neighbour){
        .ahead_m = ahead_m,
        .left_m = y_m * c - x_m * s,
        .closing_mps = ahead_m >= 0.0 ? faster_mps : -faster_mps,
    };
}
