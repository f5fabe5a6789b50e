// A block's frame: body axes from the orientation, and the motion seen along them.

#include "physics/substep_private.h"

static void axes_of(const physics_block *block, lanes axis[3][3]) {
    lanes w = lanes_narrow(block->orientation[0]), i = lanes_narrow(block->orientation[1]);
    lanes j = lanes_narrow(block->orientation[2]), k = lanes_narrow(block->orientation[3]);
    axis[0][0] = R(1.0) - R(2.0) * (j * j + k * k);
    axis[0][1] = R(2.0) * (i * j + w * k);
    axis[0][2] = R(2.0) * (i * k - w * j);
    axis[1][0] = R(2.0) * (i * j - w * k);
    axis[1][1] = R(1.0) - R(2.0) * (i * i + k * k);
    axis[1][2] = R(2.0) * (j * k + w * i);
    axis[2][0] = R(2.0) * (i * k + w * j);
    axis[2][1] = R(2.0) * (j * k - w * i);
    axis[2][2] = R(1.0) - R(2.0) * (i * i + j * j);
}

void LEVEL(physics_frame)(physics_substep *step) {
    const physics_block *block = step->block;
    const physics_numbers_lanes *numbers = step->numbers;
    axes_of(block, step->axis);
    for (uint32_t i = 0; i < 3; i++) {
        step->velocity_mps[i] = dot3(step->axis[i], block->velocity_mps);
        step->turn_radps[i] = dot3(step->axis[i], block->angular_radps);
    }
    lanes carried = block->fuel_kg + block->ballast_kg;
    step->mass_kg = numbers->mass_kg + carried;
    step->sprung_kg = step->mass_kg - numbers->unsprung_kg;
    lanes fuel_moment = block->fuel_kg * numbers->fuel_x_m;
    step->com_x_m = fuel_moment / step->mass_kg;
    step->sprung_x_m = (numbers->sprung_x_kgm + fuel_moment) / step->sprung_kg;
}
