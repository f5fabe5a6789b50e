// Tests of the figures, taken down as manoeuvres.
#include "proving/manoeuvres/plain_tests.h"

#include "proving/manoeuvres/circle.h"
#include "proving/manoeuvres/fitted_line.h"
#include "proving/manoeuvres/straight.h"
#include "proving/rig/units.h"
#include "proving/test_driver/feet.h"
#include "proving/test_driver/hands.h"

void proving_manoeuvre_acceleration(const proving_run *run) {
    proving_sprint sprint = proving_sprint_run(run->rig);
    proving_run_add(run, "0_60_mph", "s", sprint.to_60mph_s);
    proving_run_add(run, "0_100_kmh", "s", sprint.to_100kmh_s);
    proving_run_add(run, "0_160_kmh", "s", sprint.to_160kmh_s);
    proving_run_add(run, "0_200_kmh", "s", sprint.to_200kmh_s);
    proving_run_add(run, "quarter_mile", "s", sprint.quarter_mile_s);
    proving_run_add(run, "quarter_mile_speed", "km/h", sprint.quarter_mile_mps / PROVING_KMH);
    proving_run_add(run, "acceleration_peak", "m/s2", sprint.ax_mps2_max);
}

void proving_manoeuvre_braking(const proving_run *run) {
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
void proving_manoeuvre_coast_down(const proving_run *run) {
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
    double mass = proving_rig_weight_n(rig) / APEX_EARTH_MPS2 + turning_mass_kg(rig->car);
    proving_run_add(run, "from", "km/h", run->def->speed_mps / PROVING_KMH);
    proving_run_add(run, "to", "km/h", SLOW_MPS / PROVING_KMH);
    proving_run_add(run, "time", "s", is_slow ? proving_rig_time_s(rig) : proving_nothing());
    proving_run_add(run, "distance", "m", is_slow ? rig->distance_m : proving_nothing());
    proving_run_add(run, "resistance", "N", mass * proving_line_start(&line));
    proving_run_add(run, "resistance_by_speed_squared", "N s2/m2",
                    mass * proving_line_slope(&line));
}

void proving_manoeuvre_skidpad(const proving_run *run) {
    proving_circle circle =
        proving_skidpad_run(run->rig, proving_run_side(run) * run->def->radius_m);
    proving_run_add(run, "radius", "m", run->def->radius_m);
    proving_run_add(run, "lateral", "g", circle.ay_mps2 / APEX_EARTH_MPS2);
    proving_run_add(run, "speed", "km/h", circle.speed_mps / PROVING_KMH);
    proving_run_add(run, "steer", "deg", proving_degrees(circle.steer_rad));
    proving_run_add(run, "slip_angle", "deg", proving_degrees(circle.slip_angle_rad));
    proving_run_add(run, "roll", "deg", proving_degrees(circle.roll_rad));
}

void proving_manoeuvre_constant_radius(const proving_run *run) {
    proving_gradient found = proving_gradient_run(
        run->rig, proving_run_side(run) * run->def->radius_m, run->def->lateral_mps2);
    const double per_g = proving_degrees(APEX_EARTH_MPS2);
    proving_run_add(run, "radius", "m", run->def->radius_m);
    proving_run_add(run, "understeer", "deg/g", per_g * found.understeer_rad);
    proving_run_add(run, "slip_angle", "deg/g", per_g * found.slip_angle_rad);
    proving_run_add(run, "roll", "deg/g", per_g * found.roll_rad);
    proving_run_add(run, "lateral_peak", "g", found.ay_mps2_max / APEX_EARTH_MPS2);
}
