// The BMW 320i of CommonRoad's vehicle models and what they were driven through (Althoff, Koschi,
// Manzinger: "CommonRoad: Composable benchmarks for motion planning on roads", TU Munich; BSD-3;
// vehicle 2). Single track (ST), drift single track (STD), kinematic (KS) and multi-body (MB).

#ifndef APEX_TESTS_COMMONROAD_H
#define APEX_TESTS_COMMONROAD_H

#include "support/physics/linear_car.h"

#define COMMONROAD_MASS_KG  1093.2952334674046
#define COMMONROAD_FRONT_M  1.1561957064
#define COMMONROAD_REAR_M   1.4227170936
#define COMMONROAD_HEIGHT_M 0.61373004
#define COMMONROAD_WHEEL_M  0.344
#define COMMONROAD_GRAVITY  9.81

// The ways to make four wheels a single track. FLAT: the centre of mass lies on the road, and no
// load moves. TALL: it moves along the car as theirs does. WIDE: as TALL, and next to none moves
// across, so that no driven wheel is lighter than its twin.
typedef enum commonroad_shape {
    COMMONROAD_FLAT,
    COMMONROAD_TALL,
    COMMONROAD_WIDE
} commonroad_shape;

// Stiffness per load (p_ky1) is the same in front and behind, so the car is neutral. On the
// stiffest springs that the step bears.
apex_car_def commonroad_bmw(apex_tyre_model model, commonroad_shape is);
// With the multi-body model's springs, dampers, bars, masses and tyre springs; roll centres on the
// ground.
apex_car_def commonroad_sprung_bmw(void);

enum {
    COMMONROAD_X,
    COMMONROAD_Y,
    COMMONROAD_V,
    COMMONROAD_PSI,
    COMMONROAD_R,
    COMMONROAD_BETA,
    COMMONROAD_FIELDS
};

// A manoeuvre: the driver's inputs, and the published model's state after them, NAN if it is not
// published.
typedef struct commonroad_manoeuvre {
    const char *name;
    double speed_mps, seconds;
    double steer_rad, steer_radps; // from the start, or rising
    double along_mps2;             // what drive or brakes are asked for
    double end[COMMONROAD_FIELDS];
    double tolerance[COMMONROAD_FIELDS];
} commonroad_manoeuvre;

scene_solo commonroad_start(apex_car_def *def, const commonroad_manoeuvre *of);
linear_motion commonroad_end_of(apex_car_def def, const commonroad_manoeuvre *of);
// Drives it and compares all that is published.
bool commonroad_ends_near(apex_car_def def, const commonroad_manoeuvre *of);

#endif
