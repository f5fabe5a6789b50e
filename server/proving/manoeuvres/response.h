/// A car's response to the wheel, and to the brake in a turn.
#pragma once

#include "proving/rig/run.h"

void proving_manoeuvre_ramp_steer(const proving_run *run);
void proving_manoeuvre_step_steer(const proving_run *run);
void proving_manoeuvre_sine_sweep(const proving_run *run);
void proving_manoeuvre_brake_in_turn(const proving_run *run);
