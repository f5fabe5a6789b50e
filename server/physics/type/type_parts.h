/// Parts of a definition as the step wants them, for physics_type_build.
#pragma once

#include "physics/type/type.h"

static inline real yes(bool value) {
    return value ? R(1.0) : R(0.0);
}

/// Tyre, suspension, differential and brakes. @param substep_s damping is folded for it.
physics_axle physics_build_axle(const apex_axle_def *from, double com_height_m, double substep_s);
void physics_build_torque(physics_torque_curve *curve, const apex_engine_def *from);
physics_engine physics_build_engine(const apex_engine_def *from);
/// Ratios, clutch and the centre differential.
void physics_build_gearbox(physics_type *type);
/// The engine speed to start with; once loads are known.
void physics_build_launch(physics_type *type);
