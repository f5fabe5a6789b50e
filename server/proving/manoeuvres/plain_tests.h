/// Manoeuvres that are no more than a test of the figures, with samples.
#pragma once

#include "proving/rig/run.h"

void proving_manoeuvre_acceleration(const proving_run *run);
void proving_manoeuvre_braking(const proving_run *run);
void proving_manoeuvre_coast_down(const proving_run *run);
void proving_manoeuvre_skidpad(const proving_run *run);
void proving_manoeuvre_constant_radius(const proving_run *run);
