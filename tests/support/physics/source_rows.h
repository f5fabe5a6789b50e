// The worked numbers of the sources, by their ids: a test for each row. A program lists the rows it
// tests; unit.physics_rows compares what all of them list with the ids that there are.
//
// Tolerances are the rows' own. The float build may be off by 1e-5 of a number where a row asks for
// more: that is what eight digits leave after a few operations.

#ifndef APEX_TESTS_SOURCE_ROWS_H
#define APEX_TESTS_SOURCE_ROWS_H

#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct row {
    const char *id;
    void (*test)(void);
} row;

// unit.physics_rows looks for this in the programs' text.
#define ROW(id, test) \
    { id, test }

#ifdef APEX_REAL_DOUBLE
#define ROWS_ROUNDING 0.0
#else
#define ROWS_ROUNDING 1e-5
#endif

// `ours` must equal the row's number within a share of it, or within an amount.
#define ROW_SAME(ours, wanted, share)  ROW_BETWEEN(ours, wanted, row_tolerance(wanted, share, 0.0))
#define ROW_NEAR(ours, wanted, amount) ROW_BETWEEN(ours, wanted, row_tolerance(wanted, 0.0, amount))

// Must hold.
#define ROW_IS(what) ck_assert_msg(row_note(what), "%s: not so: %s", row_id(), #what)

#define ROW_BETWEEN(ours, wanted, tolerance)                                                    \
    do {                                                                                        \
        double is = (ours), wants = (wanted), within = (tolerance);                             \
        ck_assert_msg(row_note(is >= wants - within && is <= wants + within),                   \
                      "%s: %s is %.12g, the row says %.12g (within %.3g)", row_id(), #ours, is, \
                      wants, within);                                                           \
    } while (false)

#define row_tolerance(wanted, share, amount) row_tolerance_of(wanted, share, amount, ROWS_ROUNDING)

// Counts what a row has looked at: one that looks at nothing fails. @return `holds`.
bool row_note(bool holds);
const char *row_id(void);
double row_tolerance_of(double wanted, double share, double amount, double rounding);

/// Runs the test of one row.
void row_run(const row *one);

/// A test for each row of a table of the file.
#define ROWS_TEST(rows)                                     \
    TEST_OVER(each_row, 0, sizeof(rows) / sizeof *(rows)) { \
        row_run(&(rows)[_i]);                               \
    }

// The ids of all rows, in the order of the table.
const char *const *rows_known(size_t *count);

// The place where a row's car drives; zero is the sources' Earth and the scenes' air, level
// asphalt, 240 Hz.
typedef struct rows_place {
    const apex_ground *ground;
    double gravity_mps2, air_kg_per_m3;
    bool is_vacuum;
    bool ticks_at_60_hz; // else a tick is one substep
} rows_place;

// A car at the origin, facing x, in neutral with nothing pressed. Ends with scene_solo_destroy.
scene_solo rows_solo(const apex_car_def *def, const rows_place *place);
// Rolling at a speed; automatic boxes then choose their gear, others stay in neutral.
void rows_roll(scene_solo *solo, double speed_mps);

// The sources' cars: Monster's Corvette of 1500 kg with its mass 1 m up between the axles, and
// Palmer's Boxster S with one driver. Nothing helps the driver; no drag, no rolling resistance, no
// losses, and hardly any inertia in what turns, unless a test asks for it.
apex_car_def rows_monster_car(void);
apex_car_def rows_palmer_car(void);
// @return the mass that wheels add to a car that is pushed.
double rows_turning_kg(const apex_car_def *def);
// Rolling resistance as in Monster: newtons for each m/s, of the whole car.
void rows_set_rolling(apex_car_def *def, double ns_per_m, double gravity_mps2);
// Drag as in Monster: newtons for each (m/s)^2, in the scenes' air of 1.2 kg/m3.
void rows_set_drag(apex_car_def *def, double n_per_mps2);
// Springs and tyres that hardly give: a body that pitches by a twentieth carries its mass, 1 m up,
// 5 cm nearer to an axle, and the sources' bodies do not pitch.
void rows_stiffen(apex_car_def *def);
// An engine that always turns faster than the gearbox: its slipping clutch pushes with a constant
// force, from rest on. Full throttle, gear 1.
void rows_set_force(apex_car_def *def, double force_n);

// A plane that rises along x and y, 64 m square round the origin.
scene_ground *rows_slope(double rise_per_x, double rise_per_y);

#endif
