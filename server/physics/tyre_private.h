/// One tyre in one substep. Its state is how far the contact patch is stretched, not a slip ratio
/// (Pacejka, Tyre and Vehicle Dynamics, ch. 7): at speed the stretch follows the slip over the
/// relaxation length, at a standstill it is a spring, and nothing is divided by the speed. So
/// parking and racing are one model, without a mode that has to be switched.
#pragma once

#include "physics/type_private.h"

typedef struct physics_pair {
    real x, y;
} physics_pair;

/// Force per load at friction 1 of one axis at `slip` (a number >= 0 in the axis's own unit).
real physics_tyre_curve(apex_tyre_model model, const physics_tyre_axis *axis, real slip);

/// Force of both axes per load and surface friction 1, for slips in units of the peak's. At any
/// slip the resultant stays inside the ellipse of the two axes' friction. Pacejka's "rho" form.
physics_pair physics_tyre_combined(const physics_tyre *tyre, physics_pair slip);

/// Friction of tyre on surface at this load: falls as load grows.
real physics_tyre_load_factor(const physics_tyre *tyre, real load_n);

/// What a tyre meets in a substep. Velocities are the wheel centre's in the wheel's own axes.
typedef struct physics_tyre_input {
    real h_s;
    real load_n;
    real friction; ///< surface, temperature, wear and load together
    real velocity_x_mps, velocity_y_mps;
    real spin_radps;
    real camber_force_n; ///< lateral, from camber and lean
    real gravity_mps2;
} physics_tyre_input;

/// What it answers. Forces are of the ground on the tyre, in the wheel's axes.
typedef struct physics_tyre_output {
    real long_n, lat_n;
    real long_n_max, lat_n_max; ///< half axes of the friction ellipse
    real long_n_per_radps;      ///< change of long_n if the wheel ends the substep faster
    real deflection_per_radps;  ///< likewise of the longitudinal deflection
    real slip;                  ///< combined, in units of the peak's; above 1 it slides
    real slip_long, slip_lat;   ///< its parts
} physics_tyre_output;

/// Moves the deflections (u longitudinal, v lateral) by a substep and gives the force at its end
/// for a wheel whose spin does not change.
physics_tyre_output physics_tyre_predict(const physics_tyre *tyre, const physics_tyre_input *in,
                                         real *u_m, real *v_m);

/// The force once the spin has changed by `spin_change`: this one goes to the chassis, or wheel
/// and chassis would exchange different momenta (12 % of the speed in 3 s at 60 Hz).
void physics_tyre_finish(physics_tyre_output *out, real spin_change_radps, real *u_m);
