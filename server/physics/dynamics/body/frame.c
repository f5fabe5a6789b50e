// A block's frame: body axes from the orientation, and the motion seen along them.

#include "physics/dynamics/pass/stages.h"

void FOR_ISA(physics_frame)(physics_substep *step) {
    const physics_block *block = step->block;
    const physics_numbers_lanes *numbers = step->numbers;
    lanes_axes(block->orientation, step->axis);
    for (uint32_t i = 0; i < 3; i++) {
        step->velocity_mps[i] = dot3(step->axis[i], block->velocity_mps);
        step->angular_radps[i] = dot3(step->axis[i], block->angular_radps);
    }
    lanes carried = block->fuel_kg + block->ballast_kg;
    step->mass_kg = numbers->mass_kg + carried;
    step->sprung_kg = step->mass_kg - numbers->unsprung_kg;
    lanes fuel_moment = block->fuel_kg * numbers->fuel_x_m;
    step->com_x_m = fuel_moment / step->mass_kg;
    step->sprung_x_m = (numbers->sprung_x_kgm + fuel_moment) / step->sprung_kg;
}
