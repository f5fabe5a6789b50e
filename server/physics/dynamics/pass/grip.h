/// The tyre by itself: from slips and load to forces.
#pragma once

#include "physics/car/block.h"
#include "physics/lanes/isa.h"

/// A wheel whose axis stands steeper than this against the ground rolls on nothing: it lies there,
/// as the hull does.
#define PHYSICS_UPRIGHT_MIN R(0.2)
/// Share of its radius by which a tyre gives way; then the rim meets the ground.
#define PHYSICS_TYRE_DEPTH R(0.35)

/// A tyre's answer. Forces are of the ground on the tyre, along its directions.
typedef struct physics_grip {
    lanes long_n, lat_n;
    lanes long_n_max, lat_n_max; ///< half axes of the friction ellipse
    lanes long_n_per_radps;      ///< change of long_n if the wheel ends the substep faster
    lanes deflection_per_radps;  ///< likewise of the longitudinal deflection
    lanes stiffness[2];          ///< force for each metre of stretch, along and across
    lanes slip;                  ///< combined, in units of the peak's; above 1 it slides
    lanes slip_long, slip_lat;   ///< its parts
} physics_grip;

/// The tyre by itself: deflections move by a substep; force for a wheel whose spin does not change.
typedef struct physics_tyre_input {
    const physics_tyre_plan *plan;
    real h_s, gravity_mps2;
    lanes load_n, friction;
    lanes speed_x_mps, speed_y_mps, spin_radps;
    lanes camber_n;    ///< lateral, from camber and lean
    lanes patch_share; ///< of the load's mass that resists a push at the patch
} physics_tyre_input;

void FOR_ISA(physics_tyre_predict)(const physics_tyre_lanes *tyre, const physics_tyre_input *in,
                                   physics_wheel_lanes *wheel, physics_grip *out);
/// The force once the spin has changed by `change_radps`: this one goes to the body, or wheel and
/// body would exchange different momenta (12 % of the speed in 3 s at 60 Hz).
void FOR_ISA(physics_tyre_finish)(const lanes *change_radps, physics_wheel_lanes *wheel,
                                  physics_grip *grip);
/// Force per load and friction 1 at slips in units of the peaks': the similarity ("rho") form. The
/// step has it within physics_tyre_predict; tests of the tyre's law call it by itself.
void FOR_ISA(physics_tyre_combined)(const physics_tyre_lanes *tyre, const physics_tyre_plan *plan,
                                    const lanes slip[2], lanes force[2]);
