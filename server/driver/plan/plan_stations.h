// The inside of driver: what a plan holds, and what of a car it is made from.
#pragma once

#include "driver/driver.h"

static inline double driver_clamped(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

// The axles ahead of the centre of mass, or those behind it, taken together.
typedef struct driver_axle {
    double weight_share, brake_share, drive_share;
    double gains;               // load under braking: 1, or loses it: -1
    double grip_lat, grip_long; // as the car's
} driver_axle;

enum { DRIVER_SLIPS = 17 };

// What planning and driving need of a car, worked out once.
typedef struct driver_car {
    const apex_car_def *def;
    bool kinematic;
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

driver_point driver_plan_at(const apex_driver_plan *plan, double s_m);

// --- car.c
driver_car driver_car_of(const apex_car_def *def);
double driver_car_rpm(const driver_car *car, uint32_t gear, double speed_mps);
double driver_car_gear_force_n(const driver_car *car, uint32_t gear, double speed_mps);
double driver_car_force_n(const driver_car *car, double speed_mps); // in the best gear
// The gear that a driver who brakes is in.
uint32_t driver_car_low_gear(const driver_car *car, double speed_mps);
// Slip angle at which the front tyres give a share of their largest side force, -1..1.
double driver_car_slip_rad(const driver_car *car, double share);
// What the engine brakes in a gear with the throttle closed.
double driver_car_engine_mps2(const driver_car *car, uint32_t gear, double speed_mps);

// --- axles.c
typedef struct driver_load {
    double pressed_mps2; // on the road, for each kilogram of the car
    double side_mps2;    // that the tyres give, to the left
    double engine_mps2;  // that the engine brakes
    double friction;
} driver_load;

// What the road presses and the tyres must give while the car turns by `bend_mps2` to the left.
driver_load driver_axles_load(const driver_car *car, const driver_point *here, double speed_mps,
                              double bend_mps2);
// The hardest that the brakes can be used before an axle slides.
double driver_axles_brake_mps2(const driver_car *car, const driver_load *load);

// --- line.c: puts offset_m of every station on a line of little curvature
void driver_line_place(apex_driver_plan *plan); // x_m and y_m from offset_m
void driver_line_relax(apex_driver_plan *plan);
// Index that is `by` stations on; wraps on a lap, stops at the ends of a stretch.
uint32_t driver_line_index(const apex_driver_plan *plan, uint32_t from, int64_t by);

// --- pace.c: the speed at every station
void driver_pace_plan(apex_driver_plan *plan);

// --- driver.c: from what is seen to what is wanted
typedef struct driver_order {
    double steer_rad;
    double speed_mps;
} driver_order;

// Does what is ordered, as far as the tyres can; backs out when it is stuck.
apex_controls driver_obey(apex_driver *driver, const apex_driver_plan *plan,
                          const apex_driver_view *view, driver_order order);

// --- wander.c: about a terrain, from one place in sight to the next
apex_controls driver_wander(apex_driver *driver, const apex_driver_plan *plan,
                            const apex_driver_view *view);

// --- traffic.c: what other cars leave
typedef struct driver_room {
    double offset_m;                   // from the centre line, where to go
    double offset_m_min, offset_m_max; // of the road there
    double speed_mps;                  // not more than this
    bool along_road;                   // offset_m is to be held, wherever the line goes
    bool holds_up;                     // somebody close behind, and nobody is ahead
    bool follows;                      // somebody is ahead
} driver_room;

// Whether the road is straight here and so far ahead, and nobody brakes: a place to pass.
bool driver_traffic_passable(const apex_driver_plan *plan, double s_m, double room_m);

// @param heading unit vector of the car's nose. @return the wish, as far as others let it.
driver_room driver_traffic(const apex_driver_plan *plan, const apex_driver_view *view,
                           const apex_track_place *own, const double heading[2], driver_room wish);

// What a driver knows when he turns the wheel and presses the pedals.
typedef struct driver_now {
    const apex_driver_plan *plan;
    const apex_driver_view *view;
    double heading[2]; // of the car's nose, a unit vector
    apex_track_place place;
    driver_point here, soon, preview, ahead;
    double look_m;
    driver_room room;
    double tail_slip; // of the rear tyres, as a share of what they can use
    double steer_rad;
} driver_now;

// --- pits.c: out of the pits
bool driver_pits_follow(driver_now *now); // the lane in place of the line; false elsewhere
driver_room driver_pits_traffic(const driver_now *now, driver_room wish);

// --- steer.c
// How far the tail slips; it has the sign of the steering that catches it.
double driver_steer_tail_slip(const apex_driver_view *view, const driver_car *car);
double driver_steer_follow_rad(const driver_now *now); // back to the line, and along it
// What of it the tyres can use, and what catches the tail.
double driver_steer_usable_rad(const driver_now *now, double steer_rad);

// --- pedals.c
int8_t driver_pedals_gear(const driver_now *now);
// Throttle or brake for the speed that now->room leaves.
void driver_pedals_hold(const driver_now *now, double skill, apex_controls *controls);
