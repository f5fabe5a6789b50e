// The list of manoeuvres, and the ones that are no more than a test of the figures with samples.

#include "proving/manoeuvres/straight.h"

#include "base/assert.h"
#include "base/trig.h"

#include <math.h>
#include <string.h>

// --- The list -----------------------------------------------------------------------------------

#define TAKES(option) (1u << (option))
#define TAKES_ALWAYS  (TAKES(APEX_OPTION_FRICTION) | TAKES(APEX_OPTION_SAMPLE_RATE))

typedef void manoeuvre_fn(const proving_run *run);

typedef struct manoeuvre_row {
    const char *name;
    const char *about;
    manoeuvre_fn *drive;
    proving_ground_kind ground;
    uint32_t takes;
    apex_manoeuvre_def usual; ///< kind, friction and sample rate apart
    double time_s_max;        ///< of what is recorded
} manoeuvre_row;

static void acceleration(const proving_run *run);
static void braking(const proving_run *run);
static void coast_down(const proving_run *run);
static void skidpad(const proving_run *run);
static void constant_radius(const proving_run *run);

#define SPEED   TAKES(APEX_OPTION_SPEED)
#define RADIUS  TAKES(APEX_OPTION_RADIUS)
#define LATERAL TAKES(APEX_OPTION_LATERAL)
#define SIDE    TAKES(APEX_OPTION_SIDE)

static const manoeuvre_row ROWS[APEX_MANOEUVRE_COUNT] = {
    [APEX_MANOEUVRE_ACCELERATION] = {"acceleration",
                                     "standing start at full throttle to 200 km/h and over the "
                                     "quarter mile",
                                     acceleration,
                                     PROVING_GROUND_FLAT,
                                     0,
                                     {.speed_mps = 0.0},
                                     95.0},
    [APEX_MANOEUVRE_BRAKING] = {"braking",
                                "full braking from a speed to a stop",
                                braking,
                                PROVING_GROUND_FLAT,
                                SPEED,
                                {.speed_mps = 100.0 * PROVING_KMH},
                                65.0},
    [APEX_MANOEUVRE_COAST_DOWN] = {"coast-down",
                                   "out of gear from a speed; the resistance that shows",
                                   coast_down,
                                   PROVING_GROUND_FLAT,
                                   SPEED,
                                   {.speed_mps = 120.0 * PROVING_KMH},
                                   305.0},
    [APEX_MANOEUVRE_SKIDPAD] = {"skidpad",
                                "round a circle ever faster until the car leaves it",
                                skidpad,
                                PROVING_GROUND_FLAT,
                                RADIUS | SIDE,
                                {.radius_m = 30.48},
                                2000.0},
    [APEX_MANOEUVRE_CONSTANT_RADIUS] = {"constant-radius",
                                        "steady circle, speed rising slowly (ISO 4138)",
                                        constant_radius,
                                        PROVING_GROUND_FLAT,
                                        RADIUS | LATERAL | SIDE,
                                        {.radius_m = 100.0, .lateral_mps2 = 4.0},
                                        405.0},
    [APEX_MANOEUVRE_RAMP_STEER] = {"ramp-steer",
                                   "wheel turned slowly at constant speed",
                                   proving_manoeuvre_ramp_steer,
                                   PROVING_GROUND_FLAT,
                                   SPEED | SIDE,
                                   {.speed_mps = 80.0 * PROVING_KMH},
                                   95.0},
    [APEX_MANOEUVRE_STEP_STEER] = {"step-steer",
                                   "wheel turned at once (ISO 7401)",
                                   proving_manoeuvre_step_steer,
                                   PROVING_GROUND_FLAT,
                                   SPEED | LATERAL | SIDE,
                                   {.speed_mps = 80.0 * PROVING_KMH, .lateral_mps2 = 4.0},
                                   5.0},
    [APEX_MANOEUVRE_SINE_SWEEP] = {"sine-sweep",
                                   "wheel swung at 0.2 to 4 Hz (ISO 7401)",
                                   proving_manoeuvre_sine_sweep,
                                   PROVING_GROUND_FLAT,
                                   SPEED | LATERAL | SIDE,
                                   {.speed_mps = 80.0 * PROVING_KMH, .lateral_mps2 = 2.0},
                                   80.0},
    [APEX_MANOEUVRE_BRAKE_IN_TURN] = {"brake-in-turn",
                                      "braking on a circle with the wheel held (ISO 7975)",
                                      proving_manoeuvre_brake_in_turn,
                                      PROVING_GROUND_FLAT,
                                      RADIUS | LATERAL | SIDE | TAKES(APEX_OPTION_DECELERATION),
                                      {.radius_m = 100.0,
                                       .lateral_mps2 = 5.0,
                                       .deceleration_mps2 = 5.0},
                                      35.0},
    [APEX_MANOEUVRE_DOUBLE_LANE_CHANGE] = {"double-lane-change",
                                           "two lane changes between cones (ISO 3888-1)",
                                           proving_manoeuvre_course,
                                           PROVING_GROUND_FLAT,
                                           SPEED | SIDE,
                                           {.speed_mps = 0.0},
                                           65.0},
    [APEX_MANOEUVRE_OBSTACLE_AVOIDANCE] = {"obstacle-avoidance",
                                           "the same, shorter and without throttle (ISO 3888-2)",
                                           proving_manoeuvre_course,
                                           PROVING_GROUND_FLAT,
                                           SPEED | SIDE,
                                           {.speed_mps = 0.0},
                                           65.0},
    [APEX_MANOEUVRE_SLALOM] = {"slalom",
                               "ten cones, 18 m apart",
                               proving_manoeuvre_course,
                               PROVING_GROUND_FLAT,
                               SPEED | SIDE,
                               {.speed_mps = 0.0},
                               65.0},
    [APEX_MANOEUVRE_HILL_HOLD] = {"hill-hold",
                                  "parked for a minute, nose uphill and across the slope",
                                  proving_manoeuvre_hill_hold,
                                  PROVING_GROUND_UPHILL,
                                  TAKES(APEX_OPTION_GRADE),
                                  {.grade = 0.3},
                                  65.0},
    [APEX_MANOEUVRE_JUMP] = {"jump",
                             "over a ramp of 16 m",
                             proving_manoeuvre_jump,
                             PROVING_GROUND_RAMP,
                             SPEED | TAKES(APEX_OPTION_GRADE),
                             {.speed_mps = 60.0 * PROVING_KMH, .grade = 0.12},
                             35.0},
};

const char *apex_manoeuvre_name(apex_manoeuvre_kind kind) {
    APEX_ASSERT((uint32_t)kind < APEX_MANOEUVRE_COUNT);
    return ROWS[kind].name;
}

const char *apex_manoeuvre_about(apex_manoeuvre_kind kind) {
    APEX_ASSERT((uint32_t)kind < APEX_MANOEUVRE_COUNT);
    return ROWS[kind].about;
}

bool apex_manoeuvre_from_name(const char *name, apex_manoeuvre_kind *out) {
    for (uint32_t kind = 0; kind < APEX_MANOEUVRE_COUNT; kind++) {
        if (strcmp(name, ROWS[kind].name) == 0) {
            *out = (apex_manoeuvre_kind)kind;
            return true;
        }
    }
    return false;
}

bool apex_manoeuvre_takes(apex_manoeuvre_kind kind, apex_manoeuvre_option option) {
    APEX_ASSERT((uint32_t)kind < APEX_MANOEUVRE_COUNT);
    return ((ROWS[kind].takes | TAKES_ALWAYS) & TAKES(option)) != 0;
}

apex_manoeuvre_def apex_default_manoeuvre_def(apex_manoeuvre_kind kind) {
    APEX_ASSERT((uint32_t)kind < APEX_MANOEUVRE_COUNT);
    apex_manoeuvre_def def = ROWS[kind].usual;
    def.kind = kind;
    def.friction = 1.0;
    def.sample_hz = 60;
    return def;
}

// --- Checking -----------------------------------------------------------------------------------

typedef struct option_range {
    apex_manoeuvre_option option;
    const char *field;
    size_t offset;
    double low, high;
} option_range;

static const option_range RANGES[] = {
    {APEX_OPTION_SPEED, "speed_mps", offsetof(apex_manoeuvre_def, speed_mps), 2.0, 100.0},
    {APEX_OPTION_RADIUS, "radius_m", offsetof(apex_manoeuvre_def, radius_m), 15.0, 1000.0},
    {APEX_OPTION_LATERAL, "lateral_mps2", offsetof(apex_manoeuvre_def, lateral_mps2), 0.5, 30.0},
    {APEX_OPTION_DECELERATION, "deceleration_mps2", offsetof(apex_manoeuvre_def, deceleration_mps2),
     0.5, 30.0},
    {APEX_OPTION_GRADE, "grade", offsetof(apex_manoeuvre_def, grade), 0.01, 0.6},
    {APEX_OPTION_FRICTION, "friction", offsetof(apex_manoeuvre_def, friction), 0.05, 2.0},
};

bool apex_manoeuvre_range(apex_manoeuvre_option option, double *low, double *high) {
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++) {
        if (RANGES[i].option == option) {
            *low = RANGES[i].low;
            *high = RANGES[i].high;
            return true;
        }
    }
    return false;
}

static bool refuse(apex_def_problem *problem, const char *field, const char *reason) {
    if (problem != NULL) {
        snprintf(problem->field, sizeof problem->field, "%s", field);
        snprintf(problem->reason, sizeof problem->reason, "%s", reason);
    }
    return false;
}

bool apex_manoeuvre_check(const apex_manoeuvre_def *def, apex_def_problem *problem) {
    if ((uint32_t)def->kind >= APEX_MANOEUVRE_COUNT) {
        return refuse(problem, "kind", "is no manoeuvre");
    }
    bool may_search = proving_manoeuvre_course == ROWS[def->kind].drive;
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++) {
        const option_range *range = &RANGES[i];
        double value;
        memcpy(&value, (const char *)def + range->offset, sizeof value);
        bool is_search = may_search && range->option == APEX_OPTION_SPEED && value == 0.0;
        if (apex_manoeuvre_takes(def->kind, range->option) && !is_search &&
            !(value >= range->low && value <= range->high)) {
            char reason[64];
            snprintf(reason, sizeof reason, "%.6g is outside %g..%g", value, range->low,
                     range->high);
            return refuse(problem, range->field, reason);
        }
    }
    if (def->sample_hz != 60 && def->sample_hz != 240) {
        return refuse(problem, "sample_hz", "is neither 60 nor 240");
    }
    return true;
}

// --- Running ------------------------------------------------------------------------------------

double proving_degrees(double angle_rad) {
    return angle_rad * 180.0 / APEX_PI;
}

double proving_run_side(const proving_run *run) {
    return run->def->to_right ? -1.0 : 1.0;
}

void proving_run_add(const proving_run *run, const char *name, const char *unit, double value) {
    apex_manoeuvre_result *result = run->result;
    APEX_ASSERT(result->figure_count < APEX_FIGURES_MAX);
    result->figures[result->figure_count++] = (apex_figure){name, unit, value};
}

size_t apex_manoeuvre_samples_max(const apex_manoeuvre_def *def) {
    APEX_ASSERT((uint32_t)def->kind < APEX_MANOEUVRE_COUNT);
    return (size_t)(ROWS[def->kind].time_s_max * def->sample_hz) + 1;
}

apex_err apex_manoeuvre_run(const apex_manoeuvre_def *def, const apex_car_def *car,
                            apex_samples *samples, apex_manoeuvre_result *out) {
    if (!apex_manoeuvre_check(def, NULL) || !apex_car_def_check(car, NULL)) {
        return APEX_ERR_INVALID;
    }
    const manoeuvre_row *row = &ROWS[def->kind];
    const proving_site site = {row->ground, def->friction, def->grade};
    proving_rig rig;
    apex_err err = proving_rig_open(&rig, car, &site);
    if (err != APEX_OK) {
        return err;
    }
    rig.samples = samples;
    rig.sample_every = APEX_PROVING_HZ / def->sample_hz;
    if (samples != NULL) {
        samples->count = 0;
    }
    *out = (apex_manoeuvre_result){.verdict = APEX_VERDICT_NONE};
    row->drive(&(proving_run){def, &rig, out});
    proving_rig_close(&rig);
    return APEX_OK;
}

// --- The plain ones -----------------------------------------------------------------------------

static void acceleration(const proving_run *run) {
    proving_sprint sprint = proving_sprint_run(run->rig);
    proving_run_add(run, "0_60_mph", "s", sprint.to_60mph_s);
    proving_run_add(run, "0_100_kmh", "s", sprint.to_100kmh_s);
    proving_run_add(run, "0_160_kmh", "s", sprint.to_160kmh_s);
    proving_run_add(run, "0_200_kmh", "s", sprint.to_200kmh_s);
    proving_run_add(run, "quarter_mile", "s", sprint.quarter_mile_s);
    proving_run_add(run, "quarter_mile_speed", "km/h", sprint.quarter_mile_mps / PROVING_KMH);
    proving_run_add(run, "acceleration_peak", "m/s2", sprint.ax_mps2_max);
}

static void braking(const proving_run *run) {
    proving_stop stop = proving_stop_run(run->rig, run->def->speed_mps);
    proving_run_add(run, "from", "km/h", run->def->speed_mps / PROVING_KMH);
    proving_run_add(run, "distance", "m", stop.distance_m);
    proving_run_add(run, "time", "s", stop.time_s);
    proving_run_add(run, "deceleration", "m/s2", stop.deceleration_mps2);
    proving_run_add(run, "drift", "m", stop.drift_m);
}

// Of the wheels: what turning them adds to the mass.
static double turning_mass_kg(const apex_car_def *car) {
    double sum = 0.0;
    for (uint32_t a = 0; a < car->axle_count; a++) {
        const apex_tyre_def *tyre = &car->axles[a].tyre;
        double count = car->axles[a].track_width_m > 0.0 ? 2.0 : 1.0;
        sum += count * tyre->inertia_kgm2 / (tyre->radius_m * tyre->radius_m);
    }
    return sum;
}

// Force over the square of speed is a straight line where only rolling and drag are at work
// (SAE J1263's model).
static void coast_down(const proving_run *run) {
    const double SLOW_MPS = 15.0 * PROVING_KMH, TIME_S_MAX = 300.0, EVERY_S = 0.5;
    proving_rig *rig = run->rig;
    const proving_path path = proving_path_straight();
    proving_driver driver = proving_driver_for(rig->car);
    const apex_placement at = {.speed_mps = run->def->speed_mps};
    proving_rig_place(rig, &at);
    proving_driver_cruise(&driver, rig, &path, (const double[2]){at.speed_mps, 2.0});
    proving_rig_start_clock(rig);
    proving_rig_record(rig);
    driver.gear = APEX_GEAR_NEUTRAL;
    proving_line line = {0};
    double before = rig->speed_mps;
    uint32_t every = (uint32_t)(EVERY_S * APEX_PROVING_HZ);
    while (rig->speed_mps > SLOW_MPS && proving_rig_time_s(rig) < TIME_S_MAX) {
        proving_driver_follow(&driver, rig, &path);
        proving_driver_coast(&driver, rig);
        proving_rig_step(rig);
        if (rig->ticks % every == 0) {
            double mean = 0.5 * (before + rig->speed_mps);
            proving_line_add(&line, mean * mean, (before - rig->speed_mps) / EVERY_S);
            before = rig->speed_mps;
        }
    }
    bool is_slow = rig->speed_mps <= SLOW_MPS;
    double mass = proving_rig_weight_n(rig) / PROVING_GRAVITY + turning_mass_kg(rig->car);
    proving_run_add(run, "from", "km/h", run->def->speed_mps / PROVING_KMH);
    proving_run_add(run, "to", "km/h", SLOW_MPS / PROVING_KMH);
    proving_run_add(run, "time", "s", is_slow ? proving_rig_time_s(rig) : proving_nothing());
    proving_run_add(run, "distance", "m", is_slow ? rig->distance_m : proving_nothing());
    proving_run_add(run, "resistance", "N", mass * proving_line_start(&line));
    proving_run_add(run, "resistance_by_speed_squared", "N s2/m2",
                    mass * proving_line_slope(&line));
}

static void skidpad(const proving_run *run) {
    proving_circle circle =
        proving_skidpad_run(run->rig, proving_run_side(run) * run->def->radius_m);
    proving_run_add(run, "radius", "m", run->def->radius_m);
    proving_run_add(run, "lateral", "g", circle.ay_mps2 / PROVING_GRAVITY);
    proving_run_add(run, "speed", "km/h", circle.speed_mps / PROVING_KMH);
    proving_run_add(run, "steer", "deg", proving_degrees(circle.steer_rad));
    proving_run_add(run, "slip_angle", "deg", proving_degrees(circle.slip_angle_rad));
    proving_run_add(run, "roll", "deg", proving_degrees(circle.roll_rad));
}

static void constant_radius(const proving_run *run) {
    proving_gradient found = proving_gradient_run(
        run->rig, proving_run_side(run) * run->def->radius_m, run->def->lateral_mps2);
    const double per_g = proving_degrees(PROVING_GRAVITY);
    proving_run_add(run, "radius", "m", run->def->radius_m);
    proving_run_add(run, "understeer", "deg/g", per_g * found.understeer_rad);
    proving_run_add(run, "slip_angle", "deg/g", per_g * found.slip_angle_rad);
    proving_run_add(run, "roll", "deg/g", per_g * found.roll_rad);
    proving_run_add(run, "lateral_peak", "g", found.ay_mps2_max / PROVING_GRAVITY);
}
