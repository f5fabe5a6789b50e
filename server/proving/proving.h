/// The proving ground: measures a car by driving it, alone, in a world of its own (DECISIONS 18).
///
/// Everything here is seen from outside: controls go in, poses, states and works come out, so that
/// the same figures can be taken of any physics behind physics.h, and the same driver handles cars
/// and motorcycles. The same definition gives the same bits. Nothing is kept between calls; any
/// thread may call. Each call creates and destroys worlds and so allocates.
///
/// Definitions of the tests: ISO 4138 (steady circle), 7401 (step and sine), 7975 (brake in a
/// turn), 3888-1 and -2 (lane changes). Lane 5 of a lane change is as long as lane 1; like edges of
/// lanes 1 and 3 lie 3.5 m apart in part 1, facing edges 1 m in part 2; right edges of lanes 1 and
/// 5 align.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "physics/physics.h"

enum {
    APEX_FIGURES_MAX = 64,
    APEX_ENGINE_POINTS_MAX = 128,
    APEX_VERDICT_BYTES = 128,
    APEX_PROVING_HZ = 240, ///< ticks a second of a run
};

/// A number that was measured. Names are static, of [a-z0-9_]; units are such as "km/h", "" if
/// none.
typedef struct apex_figure {
    const char *name;
    const char *unit;
    double value; ///< NaN when the car did not get there
} apex_figure;

/// The figures to measure, as bits. Those that the definition alone tells are always filled in.
enum {
    APEX_MEASURE_REST = 1u << 0,
    APEX_MEASURE_SPRINT = 1u << 1,
    APEX_MEASURE_TOP_SPEED = 1u << 2,
    APEX_MEASURE_BRAKES = 1u << 3,
    APEX_MEASURE_SKIDPAD = 1u << 4,
    APEX_MEASURE_UNDERSTEER = 1u << 5,
    APEX_MEASURE_ALL = (1u << 6) - 1,
};

typedef struct apex_engine_point {
    double rpm, torque_nm, power_w;
} apex_engine_point;

/// The measured figures of a car; NaN for those that were not measured or are not reached.
typedef struct apex_car_figures {
    // At rest, full of fuel.
    double mass_kg;
    uint32_t axle_count, wheel_count;
    double axle_load_n[APEX_AXLES_MAX];
    double wheel_load_n[APEX_WHEELS_MAX];
    double front_share;          ///< of the weight, by the lever of first and last axle
    double wheelie_g, stoppie_g; ///< g c / h and g b / h, of motorcycles
    double rollover_g;           ///< t / 2 h, of what has a track width

    // From the definition: full throttle, boost up.
    uint32_t engine_count;                            ///< 0 for kinematic cars, like gear_count
    apex_engine_point engine[APEX_ENGINE_POINTS_MAX]; ///< every 250 rpm from idle to the limiter
    double torque_peak_nm, torque_peak_rpm;
    double power_peak_w, power_peak_rpm;
    uint32_t gear_count;
    double gear_speed_mps[APEX_GEARS_MAX]; ///< at the limiter, tyre unloaded and without slip
    double reverse_speed_mps;

    // Driven.
    double top_speed_mps, top_speed_rpm;
    int32_t top_speed_gear;
    double to_60mph_s, to_100kmh_s, to_160kmh_s, to_200kmh_s;
    double quarter_mile_s, quarter_mile_mps;
    double from_100kmh_m, from_60mph_m;                ///< to a stop, full pedal
    double skidpad_left_g, skidpad_right_g, skidpad_g; ///< 100 ft radius, mean over a whole circle
    double understeer_rad_per_mps2; ///< of the road wheels, below 0.4 g, 100 m radius
} apex_car_figures;

/// @param what bits of APEX_MEASURE_*.
/// @return APEX_ERR_INVALID if apex_car_def_check refuses the car, APEX_ERR_NO_MEMORY.
apex_err apex_car_figures_measure(const apex_car_def *car, uint32_t what, apex_car_figures *out);

/// The same car before anything was fitted: no driveline losses, friction 1 for every tyre.
apex_car_def apex_car_unfitted(const apex_car_def *car);

/// The same car as the texts work it out on paper: without slip, springs or wheels to spin up.
/// @param car must have passed apex_car_def_check.
void apex_car_figures_on_paper(const apex_car_def *car, apex_car_figures *out);

/// The single numbers as a list, in the order in which a table shows them; figures that such a car
/// cannot have are left out. Which ones those are depends on the kind of car alone.
/// @return how many, at most APEX_FIGURES_MAX.
size_t apex_car_figures_list(const apex_car_figures *figures, apex_figure out[APEX_FIGURES_MAX]);

/// One set of figures in a report beside others of the same car: "measured", "unfitted",
/// "on_paper".
typedef struct apex_figure_column {
    const char *title;
    const apex_car_figures *figures;
} apex_figure_column;

/// One figure of the list as makers and testers publish it, in the list's unit.
typedef struct apex_published_figure {
    const char *name;
    double value;     ///< NaN if there is only a note
    const char *note; ///< the reason why it is doubtful; "" if it is not
} apex_published_figure;

/// Published figures are compared with the first column.
typedef struct apex_car_report {
    const apex_car_def *car;
    const apex_figure_column *columns;
    size_t column_count; ///< 1..4
    const apex_published_figure *published;
    size_t published_count;
    const char *source; ///< the publisher; NULL or "" if there is none
} apex_car_report;

void apex_car_report_text(const apex_car_report *report, FILE *out);
/// One table in long form: figure,at,at_unit,unit, a column for each set, then published,
/// deviation_percent,note; `at` is a gear or rpm.
void apex_car_report_csv(const apex_car_report *report, FILE *out);
void apex_car_report_json(const apex_car_report *report, FILE *out);

typedef enum apex_manoeuvre_kind {
    APEX_MANOEUVRE_ACCELERATION,
    APEX_MANOEUVRE_BRAKING,
    APEX_MANOEUVRE_COAST_DOWN,
    APEX_MANOEUVRE_SKIDPAD,
    APEX_MANOEUVRE_CONSTANT_RADIUS,
    APEX_MANOEUVRE_RAMP_STEER,
    APEX_MANOEUVRE_STEP_STEER,
    APEX_MANOEUVRE_SINE_SWEEP,
    APEX_MANOEUVRE_BRAKE_IN_TURN,
    APEX_MANOEUVRE_DOUBLE_LANE_CHANGE,
    APEX_MANOEUVRE_OBSTACLE_AVOIDANCE,
    APEX_MANOEUVRE_SLALOM,
    APEX_MANOEUVRE_HILL_HOLD,
    APEX_MANOEUVRE_JUMP,
    APEX_MANOEUVRE_COUNT,
} apex_manoeuvre_kind;

/// The way to drive a manoeuvre. Fields that it does not take are not read; see
/// apex_manoeuvre_takes.
typedef struct apex_manoeuvre_def {
    apex_manoeuvre_kind kind;
    double speed_mps;    ///< at the start; 0 on a course with gates: find the highest that passes
    double radius_m;     ///< of the circle
    double lateral_mps2; ///< of the turn
    double deceleration_mps2; ///< of the braking
    double grade;             ///< rise over run
    double friction;          ///< of the surface, 1 dry asphalt
    bool to_right;            ///< turn right (first) instead of left
    uint32_t sample_hz;       ///< 60 or 240
} apex_manoeuvre_def;

typedef enum apex_manoeuvre_option {
    APEX_OPTION_SPEED,
    APEX_OPTION_RADIUS,
    APEX_OPTION_LATERAL,
    APEX_OPTION_DECELERATION,
    APEX_OPTION_GRADE,
    APEX_OPTION_FRICTION,
    APEX_OPTION_SIDE,
    APEX_OPTION_SAMPLE_RATE,
} apex_manoeuvre_option;

/// The standard's own values, on dry asphalt, to the left.
apex_manoeuvre_def apex_default_manoeuvre_def(apex_manoeuvre_kind kind);
const char *apex_manoeuvre_name(apex_manoeuvre_kind kind);  ///< such as "step-steer"
const char *apex_manoeuvre_about(apex_manoeuvre_kind kind); ///< one line
/// @return false and leaves *out if there is none of that name.
bool apex_manoeuvre_from_name(const char *name, apex_manoeuvre_kind *out);
bool apex_manoeuvre_takes(apex_manoeuvre_kind kind, apex_manoeuvre_option option);
/// Bounds of an option that is a number, in SI units. @return false if it is none.
bool apex_manoeuvre_range(apex_manoeuvre_option option, double *low, double *high);
/// @return false with *problem filled (it may be NULL) when a field it takes is out of range.
bool apex_manoeuvre_check(const apex_manoeuvre_def *def, apex_def_problem *problem);

/// One moment of a run. Accelerations are horizontal, along and across the car's heading.
typedef struct apex_sample {
    double time_s;
    double x_m, y_m, z_m; ///< centre of mass
    double speed_mps;
    double yaw_rad, yaw_rate_radps;
    double ax_mps2, ay_mps2;
    double slip_angle_rad; ///< of the centre of mass: direction of travel less heading
    double roll_rad, pitch_rad;
    double steer_rad; ///< of the wheels, mean of the steered axle
    double throttle, brake;
    double engine_rpm;
    int32_t gear;
    double load_n[APEX_WHEELS_MAX];
} apex_sample;

/// Memory for samples, the caller's. Samples that do not fit are not recorded.
typedef struct apex_samples {
    apex_sample *samples;
    size_t capacity;
    size_t count;
} apex_samples;

typedef enum apex_verdict {
    APEX_VERDICT_NONE, ///< nothing to pass
    APEX_VERDICT_PASS,
    APEX_VERDICT_FAIL,
} apex_verdict;

typedef struct apex_manoeuvre_result {
    apex_figure figures[APEX_FIGURES_MAX];
    size_t figure_count;
    apex_verdict verdict;
    char remark[APEX_VERDICT_BYTES]; ///< the reason why it failed: the gate and its side; or empty
} apex_manoeuvre_result;

/// Samples that the longest run of this kind can give.
size_t apex_manoeuvre_samples_max(const apex_manoeuvre_def *def);

/// Runs it once; of a search, the samples are those of the run that counts.
/// @param samples may be NULL.
/// @return APEX_ERR_INVALID if the car or the manoeuvre's definition is refused,
/// APEX_ERR_NO_MEMORY.
apex_err apex_manoeuvre_run(const apex_manoeuvre_def *def, const apex_car_def *car,
                            apex_samples *samples, apex_manoeuvre_result *out);

typedef struct apex_manoeuvre_report {
    const apex_manoeuvre_def *def;
    const apex_car_def *car;
    const apex_manoeuvre_result *result;
    const apex_samples *samples; ///< read by the CSV alone
} apex_manoeuvre_report;

void apex_manoeuvre_report_text(const apex_manoeuvre_report *report, FILE *out);
/// The samples: a header, then a line for each. Angles in degrees.
void apex_manoeuvre_report_csv(const apex_manoeuvre_report *report, FILE *out);
void apex_manoeuvre_report_json(const apex_manoeuvre_report *report, FILE *out);
