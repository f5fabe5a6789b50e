/// The engine, as the driveline asks for it.
#pragma once

#include "physics/dynamics/pass/stages.h"

/// Torque at the crank now: curve, idle governor, limiter, boost and drag.
void FOR_ISA(physics_engine_torque)(physics_substep *step, lanes *torque_nm);
/// Burns fuel, and blows up engines that were turned too fast.
void FOR_ISA(physics_engine_after)(physics_substep *step, const lanes *torque_nm);
