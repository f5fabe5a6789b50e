/// Tests on a slope and over a ramp.
#pragma once

#include "proving/rig/run.h"

void proving_manoeuvre_hill_hold(const proving_run *run);
void proving_manoeuvre_jump(const proving_run *run);
