/// A racing driver: from what it sees to controls. Serves bots in clients and cars the server must
/// drive itself. Deterministic; knows no world, only an observation.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "physics/physics.h"
#include "track/track.h"

/// The knowledge of a driver in advance: a line round the track and the speed the car can carry at
/// each place of it. One plan serves every driver of the same car on the same track; read only. On
/// a track without a lap a driver wanders about.
typedef struct apex_driver_plan apex_driver_plan;

/// Track and car are borrowed for the plan's life. @param gravity_mps2 of the world that they are
/// in.
apex_err apex_driver_plan_create(const apex_track *track, const apex_car_def *car,
                                 double gravity_mps2, apex_driver_plan **out);
void apex_driver_plan_destroy(apex_driver_plan *plan);
/// Offset of the planned line from the centre line at a lap distance, m to the left.
double apex_driver_plan_offset_m(const apex_driver_plan *plan, double s_m);
/// The speed on that line there, in m/s, of a driver who dares all of it.
double apex_driver_plan_speed_mps(const apex_driver_plan *plan, double s_m);

/// A car near the driver, in its own body frame.
typedef struct apex_driver_neighbour {
    double ahead_m, left_m;
    double closing_mps; ///< positive when the gap along the road shrinks
} apex_driver_neighbour;

enum { APEX_DRIVER_NEIGHBOURS_MAX = 8 };

/// So far behind the lane's exit whoever comes out is back on his line, m.
enum { APEX_DRIVER_MERGE_M = 120 };

/// What the rules ask of a driver now. All 0: nothing, and he drives as he would without rules.
typedef struct apex_driver_orders {
    double limit_mps;  ///< everywhere: a full course yellow, a formation; 0: none
    double pace_share; ///< of his speed, 0..1: yellow; 0: all of it
    bool no_passing;
    bool gives_way; ///< blue: he lets whoever comes by where there is room
    /// Takes the pit lane at the next entry that he can still brake for, keeps its limit from line
    /// to line, and merges; asked until APEX_DRIVER_MERGE_M behind the exit.
    bool pits;
    uint32_t box1; ///< stops in this box, from 1; 0: drives through
    bool released; ///< out of it again
} apex_driver_orders;

typedef struct apex_driver_view {
    double dt_s; ///< since the last view
    double x_m, y_m, z_m, yaw_rad;
    double speed_mps;    ///< along the car's heading
    double sideways_mps; ///< to the left
    double yaw_rate_radps;
    int8_t gear;
    bool may_go; ///< false before the start and after the finish: hold the brakes or coast
    uint32_t neighbour_count;
    apex_driver_neighbour neighbours[APEX_DRIVER_NEIGHBOURS_MAX];
    apex_driver_orders orders;
} apex_driver_view;

/// One driver. A plain value: copy it to save it.
typedef struct apex_driver {
    double skill;   ///< 0.5..1: share of the planned speed it dares
    double lane_m;  ///< preferred offset from the line, m to the left
    double s_m;     ///< its own idea of its place
    double steer;   ///< last, -1..1
    double stuck_s; ///< time it has wanted to move and could not
    double reverse_left_s;
    uint32_t resets; ///< the number of times that it has asked to be put back on the track
    bool placed;     ///< s_m is known
    double goal_x_m, goal_y_m; ///< the place it wanders to, on a track without a lap
    uint32_t goals;            ///< the number of goals it has had
    bool has_goal;
    double patience_s; ///< lets a car by that was held up so long; 0: none
    double holds_up_s; ///< somebody behind, with a free road ahead
    bool gives_way;
} apex_driver;

/// Takes the nearest skill that there is, and lane 0 for one that is too far off.
apex_driver apex_driver_create(double skill, double lane_m);
/// Whether apex_driver_create takes both as they are: a lane is within 25 m of the line.
bool apex_driver_takes(double skill, double lane_m);
apex_controls apex_driver_drive(apex_driver *driver, const apex_driver_plan *plan,
                                const apex_driver_view *view);

/// The pit limiter: the throttle closes over the last 1 m/s below a limit. An aid of whoever
/// samples controls, before they are sent, so that a prediction is made with the same ones
/// (DECISIONS 67); it does not brake.
/// @param limit_mps 0: none
apex_controls apex_driver_limited(apex_controls controls, double speed_mps, double limit_mps);

/// A field of drivers for one race, as chance would have it.
typedef struct apex_driver_field {
    uint64_t seed; ///< the same one deals the same lots
    uint32_t count;
    double skill;        ///< 0.5..1, of the field's middle
    double skill_spread; ///< from the weakest to the strongest; what is past 0.5 or 1 is cut off
    double lane_m;       ///< lanes are at most so far off the line
    uint32_t car_count;  ///< to choose from, at least 1
} apex_driver_field;

/// The skill, lane, patience and car that are drawn for one driver.
typedef struct apex_driver_lot {
    double skill, lane_m;
    double patience_s; ///< the weaker, the less; 0 in a field without weaker ones
    uint32_t car;      ///< 0..car_count - 1
} apex_driver_lot;

/// Strengths, lanes and cars are spread evenly over the field whatever the seed; chance decides
/// which driver gets which. @param out field->count of them
void apex_driver_deal(const apex_driver_field *field, apex_driver_lot out[]);
