// A car's figures as the texts work them out on paper, in the shape of those that are measured: no
// slip, no springs that give, no wheels to spin up, gears changed at once, the clutch closed.
#include "proving/car_figures.h"

#include <math.h>

#include "proving/paper/textbook.h"
#include "proving/proving.h"
#include "proving/rig/units.h"

// The proving ground's.
static apex_textbook_place place(void) {
    return (apex_textbook_place){
        .gravity_mps2 = APEX_EARTH_MPS2,
        .air_density_kg_per_m3 = apex_default_world_def().air_density_kg_per_m3,
    };
}

static void weigh(const apex_car_def *car, apex_car_figures *out) {
    const double STANDING[2] = {0.0, 0.0};
    double sum = 0.0, moment = 0.0;
    apex_textbook_axle_loads(car, APEX_EARTH_MPS2, 0.0, out->axle_load_n);
    apex_textbook_wheel_loads(car, APEX_EARTH_MPS2, STANDING, out->wheel_load_n);
    for (uint32_t a = 0; a < car->axle_count; a++) {
        sum += out->axle_load_n[a];
        moment += out->axle_load_n[a] * car->axles[a].x_m;
    }
    double front_m = car->axles[0].x_m, rear_m = car->axles[car->axle_count - 1].x_m;
    out->mass_kg = car->mass_kg + car->fuel_kg_max;
    out->front_share = (moment / sum - rear_m) / (front_m - rear_m);
    if (car->model == APEX_CAR_MOTORCYCLE) {
        out->wheelie_g = apex_textbook_wheelie_mps2(car, APEX_EARTH_MPS2) / APEX_EARTH_MPS2;
        out->stoppie_g = apex_textbook_stoppie_mps2(car, APEX_EARTH_MPS2) / APEX_EARTH_MPS2;
    } else {
        out->rollover_g = apex_textbook_rollover_mps2(car, APEX_EARTH_MPS2) / APEX_EARTH_MPS2;
    }
}

static void read_engine(const apex_car_def *car, apex_car_figures *out) {
    apex_textbook_peaks peaks = apex_textbook_engine_peaks(car);
    out->torque_peak_nm = peaks.torque_nm;
    out->torque_peak_rpm = peaks.torque_rpm;
    out->power_peak_w = peaks.power_w;
    out->power_peak_rpm = peaks.power_rpm;
    out->gear_count = car->gearbox.gear_count;
    for (int g = 1; g <= (int)out->gear_count; g++) {
        out->gear_speed_mps[g - 1] = apex_textbook_gear_mps(car, g, car->engine.limiter_rpm);
    }
    out->reverse_speed_mps = apex_textbook_gear_mps(car, -1, car->engine.limiter_rpm);
    const apex_textbook_place here = place();
    apex_textbook_top top = apex_textbook_top_speed(car, &here);
    out->top_speed_mps = top.speed_mps;
    out->top_speed_rpm = top.rpm;
    out->top_speed_gear = top.gear;
}

// @return the least peak friction of the axles that matter: that one slides first.
static double least_friction(const apex_car_def *car, bool is_lateral) {
    double least = HUGE_VAL;
    for (uint32_t a = 0; a < car->axle_count; a++) {
        const apex_tyre_def *tyre = &car->axles[a].tyre;
        least = fmin(least, is_lateral ? tyre->lateral.d : tyre->longitudinal.d);
    }
    return least;
}

// Full throttle in the gear that pulls most, as far as the driven wheels hold.
static double pull_mps2(const apex_car_def *car, double held_mps2, double speed_mps) {
    const apex_textbook_place here = place();
    double best_mps2 = -HUGE_VAL;
    for (int g = 1; g <= (int)car->gearbox.gear_count; g++) {
        if (speed_mps > apex_textbook_gear_mps(car, g, car->engine.limiter_rpm)) {
            continue;
        }
        const apex_textbook_drive drive = {.gear = g, .speed_mps = speed_mps};
        best_mps2 = fmax(best_mps2, apex_textbook_forces_at(car, &here, &drive).acceleration_mps2);
    }
    return fmin(best_mps2, held_mps2);
}

// A speed or distance whose time is read off on the way.
typedef struct milestone {
    double speed_mps;
    double *at_s;
} milestone;

static void sprint(const apex_car_def *car, apex_car_figures *out) {
    enum { STEPS_PER_S = 1000, LONGEST_S = 300 };
    const double QUARTER_MILE_M = 402.336;
    const milestone MILESTONES[] = {{60.0 * PROVING_MPH, &out->to_60mph_s},
                                    {100.0 * PROVING_KMH, &out->to_100kmh_s},
                                    {160.0 * PROVING_KMH, &out->to_160kmh_s},
                                    {200.0 * PROVING_KMH, &out->to_200kmh_s}};
    double held_mps2 =
        apex_textbook_traction_mps2(car, least_friction(car, false), APEX_EARTH_MPS2);
    double speed_mps = 0.0, way_m = 0.0;
    for (uint32_t i = 1; i <= LONGEST_S * STEPS_PER_S; i++) {
        double before_mps = speed_mps, before_m = way_m;
        double gained_mps = pull_mps2(car, held_mps2, speed_mps) / STEPS_PER_S;
        if (gained_mps <= 0.0) {
            return;
        }
        speed_mps += gained_mps;
        way_m += 0.5 * (before_mps + speed_mps) / STEPS_PER_S;
        double now_s = (double)i / STEPS_PER_S;
        for (size_t m = 0; m < sizeof MILESTONES / sizeof *MILESTONES; m++) {
            if (before_mps < MILESTONES[m].speed_mps && speed_mps >= MILESTONES[m].speed_mps) {
                *MILESTONES[m].at_s = now_s;
            }
        }
        if (before_m < QUARTER_MILE_M && way_m >= QUARTER_MILE_M) {
            out->quarter_mile_s = now_s;
            out->quarter_mile_mps = speed_mps;
        }
    }
}

// Full pedal: what the tyres hold, if the brakes ask for as much; a motorcycle's rear wheel lifts.
static double braking_mps2(const apex_car_def *car) {
    double asked_n = 0.0;
    for (uint32_t a = 0; a < car->axle_count; a++) {
        double wheels = car->axles[a].track_width_m > 0.0 ? 2.0 : 1.0;
        asked_n += wheels * car->axles[a].brake.torque_nm_max / car->axles[a].tyre.radius_m;
    }
    double held_mps2 = least_friction(car, false) * APEX_EARTH_MPS2;
    if (car->model == APEX_CAR_MOTORCYCLE) {
        held_mps2 = fmin(held_mps2, apex_textbook_stoppie_mps2(car, APEX_EARTH_MPS2));
    }
    return fmin(held_mps2, asked_n / (car->mass_kg + car->fuel_kg_max));
}

void apex_car_figures_on_paper(const apex_car_def *car, apex_car_figures *out) {
    *out = proving_nothing_known(car);
    weigh(car, out);
    if (car->model == APEX_CAR_KINEMATIC) {
        return;
    }
    double braking = braking_mps2(car);
    read_engine(car, out);
    sprint(car, out);
    out->from_100kmh_m = apex_textbook_stop_from(100.0 * PROVING_KMH, braking).distance_m;
    out->from_60mph_m = apex_textbook_stop_from(60.0 * PROVING_MPH, braking).distance_m;
    out->skidpad_g = out->skidpad_left_g = out->skidpad_right_g = least_friction(car, true);
    out->understeer_rad_per_mps2 =
        apex_textbook_handling_of(car, APEX_EARTH_MPS2).understeer_rad_per_mps2;
}
