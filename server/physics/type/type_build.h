/// Building a type: from a definition to the numbers that the step reads.
#pragma once

#include "physics/type/type.h"

/// @param def must have passed apex_car_def_check.
/// @param substep_s of the world whose cars are of this kind, up to PHYSICS_SUBSTEP_S_MAX.
void physics_type_build(physics_type *type, const apex_car_def *def, double substep_s);
