// The list of manoeuvres: what each takes, and running one.
#include <string.h>

#include "base/assert.h"
#include "proving/course/cone_course.h"
#include "proving/manoeuvres/hill_and_jump.h"
#include "proving/manoeuvres/plain_tests.h"
#include "proving/manoeuvres/response.h"
#include "proving/proving.h"
#include "proving/rig/units.h"

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

#define SPEED   TAKES(APEX_OPTION_SPEED)
#define RADIUS  TAKES(APEX_OPTION_RADIUS)
#define LATERAL TAKES(APEX_OPTION_LATERAL)
#define SIDE    TAKES(APEX_OPTION_SIDE)

static const manoeuvre_row ROWS[APEX_MANOEUVRE_COUNT] = {
    [APEX_MANOEUVRE_ACCELERATION] = {"acceleration",
                                     "standing start at full throttle to 200 km/h and over the "
                                     "quarter mile",
                                     proving_manoeuvre_acceleration,
                                     PROVING_GROUND_FLAT,
                                     0,
                                     {.speed_mps = 0.0},
                                     95.0},
    [APEX_MANOEUVRE_BRAKING] = {"braking",
                                "full braking from a speed to a stop",
                                proving_manoeuvre_braking,
                                PROVING_GROUND_FLAT,
                                SPEED,
                                {.speed_mps = 100.0 * PROVING_KMH},
                                65.0},
    [APEX_MANOEUVRE_COAST_DOWN] = {"coast-down",
                                   "out of gear from a speed; the resistance that shows",
                                   proving_manoeuvre_coast_down,
                                   PROVING_GROUND_FLAT,
                                   SPEED,
                                   {.speed_mps = 120.0 * PROVING_KMH},
                                   305.0},
    [APEX_MANOEUVRE_SKIDPAD] = {"skidpad",
                                "round a circle ever faster until the car leaves it",
                                proving_manoeuvre_skidpad,
                                PROVING_GROUND_FLAT,
                                RADIUS | SIDE,
                                {.radius_m = 30.48},
                                2000.0},
    [APEX_MANOEUVRE_CONSTANT_RADIUS] = {"constant-radius",
                                        "steady circle, speed rising slowly (ISO 4138)",
                                        proving_manoeuvre_constant_radius,
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
