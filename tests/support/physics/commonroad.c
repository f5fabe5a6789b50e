// The published parameters become a car definition, the manoeuvres its start and controls.
#include "support/physics/commonroad.h"

#include "base/assert.h"
#include "support/physics/linear_car.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdio.h>

static const double YAW_KGM2 = 1791.5995300122856;
static const double FRONT_BRAKE = 0.66; // of all braking

apex_car_def commonroad_bmw(apex_tyre_model model, commonroad_shape is) {
    const double TRACK_M[] = {
        [COMMONROAD_FLAT] = 0.3, [COMMONROAD_TALL] = 1.4, [COMMONROAD_WIDE] = 4.0};
    const double LONG = 22.303, LAT = 21.92; // p_kx1, p_ky1
    const double weight = COMMONROAD_MASS_KG * COMMONROAD_GRAVITY,
                 length = COMMONROAD_FRONT_M + COMMONROAD_REAR_M;
    linear_car car = {.mass_kg = COMMONROAD_MASS_KG,
                      .yaw_kgm2 = YAW_KGM2,
                      .front_m = COMMONROAD_FRONT_M,
                      .rear_m = COMMONROAD_REAR_M,
                      .front_n_per_rad = LAT * weight * COMMONROAD_REAR_M / length,
                      .rear_n_per_rad = LAT * weight * COMMONROAD_FRONT_M / length,
                      .com_height_m = is == COMMONROAD_FLAT ? LINEAR_LOW_M : COMMONROAD_HEIGHT_M};
    apex_car_def def = linear_car_def(&car);
    def.inertia_roll_kgm2 = is == COMMONROAD_WIDE ? 3000.0 : 400.0;
    def.hull.width_m = TRACK_M[is] + 0.3;
    for (uint32_t a = 0; a < 2; a++) {
        apex_tyre_def *tyre = &def.axles[a].tyre;
        tyre->model = model;
        tyre->radius_m = COMMONROAD_WHEEL_M;
        tyre->longitudinal.stiffness = LONG;
        def.axles[a].track_width_m = TRACK_M[is];
        if (model == APEX_TYRE_MAGIC) { // p_cx1 .. p_ey1; two wheels for one of 1.7 kg m2
            tyre->inertia_kgm2 = 0.85;
            tyre->longitudinal.c = 1.6411;
            tyre->longitudinal.d = 1.1739;
            tyre->longitudinal.e = 0.46403;
            tyre->longitudinal.b = LONG / (1.6411 * 1.1739);
            tyre->lateral.c = 1.3507;
            tyre->lateral.d = 1.0489;
            tyre->lateral.e = -0.0074722;
            tyre->lateral.b = LAT / (1.3507 * 1.0489);
        }
    }
    return def;
}

apex_car_def commonroad_sprung_bmw(void) {
    const double SPRING[2] = {24453.137879749014, 19635.504745231297};
    const double DAMPER[2] = {1786.2441002440723, 1649.0833034887382};
    const double TRACK[2] = {1.38684, 1.36398};
    const double BAR[2] = {6914.881688272133, 2643.6009520155308}; // N m/rad
    const double UNSPRUNG_KG = 0.5 * 63.7921826056784;
    apex_car_def def = commonroad_bmw(APEX_TYRE_MAGIC, COMMONROAD_TALL);
    def.com_height_m = 0.5748689544;
    def.inertia_roll_kgm2 = 207.26524557936952;
    def.inertia_pitch_kgm2 = 1565.8178787125541;
    for (int a = 0; a < 2; a++) {
        apex_axle_def *axle = &def.axles[a];
        axle->track_width_m = TRACK[a];
        axle->suspension.spring_n_per_m = SPRING[a];
        axle->suspension.bump_ns_per_m = DAMPER[a];
        axle->suspension.rebound_ns_per_m = DAMPER[a];
        axle->suspension.anti_roll_n_per_m = BAR[a] / (TRACK[a] * TRACK[a]);
        axle->suspension.unsprung_mass_kg = UNSPRUNG_KG;
        axle->tyre.vertical_stiffness_n_per_m = 158294.1398119115;
        axle->tyre.vertical_damping_ns_per_m = 0.0;
        axle->tyre.inertia_kgm2 = 1.7;
        // Theirs are of the sprung body alone.
        def.inertia_roll_kgm2 += 0.5 * UNSPRUNG_KG * TRACK[a] * TRACK[a];
        def.inertia_pitch_kgm2 += 2.0 * UNSPRUNG_KG * axle->x_m * axle->x_m;
    }
    return def;
}

scene_solo commonroad_start(apex_car_def *def, const commonroad_manoeuvre *of) {
    bool is_driven = of->along_mps2 > 0.0;
    double steer = of->steer_radps > 0.0 ? of->steer_radps * of->seconds : of->steer_rad;
    linear_set_steer(def, steer > 0.0 ? steer : 0.1);
    def->steering.rate_radps_max = of->steer_radps > 0.0 ? of->steer_radps : 50.0;
    if (is_driven) {
        linear_set_push(def, COMMONROAD_MASS_KG * of->along_mps2);
    } else {
        linear_set_brake(def, -COMMONROAD_MASS_KG * of->along_mps2, FRONT_BRAKE);
    }
    scene_solo solo = linear_solo(def, scene_flat());
    linear_place(&solo, of->speed_mps);
    apex_car_state state = scene_solo_state(&solo);
    state.steer_rad = of->steer_rad;
    state.gear = state.gear_before = is_driven ? 1 : 0;
    state.engine_radps = 1500.0;
    APEX_ASSERT(apex_world_set_car(solo.world, solo.car, &state));
    solo.controls = (apex_controls){.steer = steer > 0.0 ? APEX_STEER_MAX : 0,
                                    .throttle = is_driven ? 255 : 0,
                                    .brake = of->along_mps2 < 0.0 ? 255 : 0,
                                    .gear = is_driven ? 1 : APEX_GEAR_NEUTRAL};
    return solo;
}

linear_motion commonroad_end_of(apex_car_def def, const commonroad_manoeuvre *of) {
    scene_solo solo = commonroad_start(&def, of);
    linear_run(&solo, of->seconds);
    linear_motion now = linear_motion_of(&solo);
    scene_solo_destroy(&solo);
    return now;
}

bool commonroad_ends_near(apex_car_def def, const commonroad_manoeuvre *of) {
    const char *const FIELD[COMMONROAD_FIELDS] = {"x", "y", "v", "psi", "psi'", "beta"};
    linear_motion now = commonroad_end_of(def, of);
    const double ours[COMMONROAD_FIELDS] = {now.x_m,     now.y_m,       now.speed_mps,
                                            now.yaw_rad, now.yaw_radps, now.beta_rad};
    bool is_near = true;
    for (int i = 0; i < COMMONROAD_FIELDS; i++) {
        char what[96];
        snprintf(what, sizeof what, "%s: %s", of->name, FIELD[i]);
        if (!isnan(of->end[i])) {
            is_near &= linear_is_near(what, ours[i], of->end[i], of->tolerance[i]);
        }
    }
    return is_near;
}
