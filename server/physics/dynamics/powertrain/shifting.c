// Gearboxes that have something to do in this substep are picked from eight cars'. Every substep,
// not every tick: a gear that is refused now may be taken a moment later, and that moment must not
// depend on the tick rate.

#include "physics/car/gearbox.h"
#include "physics/dynamics/powertrain/gearbox_input.h"

// A little wider than the box's own conditions, which decide.
static lanes_mask wants_attention(const physics_substep *step) {
    const physics_drive *drive = step->drive;
    const physics_numbers_lanes *numbers = step->numbers;
    const lanes ZERO = lanes_zero();
    lanes speed = lanes_sqrt(dot3(step->velocity_mps, step->velocity_mps));
    lanes road = speed / numbers->driven_radius_m * drive->ratio;
    lanes wheels = gearbox_input(step);
    lanes_mask is_high =
        lanes_more(lanes_min(wheels, step->block->engine_radps), numbers->up_radps);
    lanes_mask is_low = lanes_less(lanes_max(wheels, R(0.999) * road), numbers->down_radps);
    is_high &= lanes_less(drive->gear, numbers->gear_count);
    is_low &= lanes_more(drive->gear, lanes_all(R(1.0)));
    lanes_mask is_automatic = lanes_equal(drive->gear_asked, lanes_all((real)APEX_GEAR_AUTOMATIC)) &
                              lanes_at_most(step->block->shift_left_s, ZERO);
    lanes_mask is_by_gear = lanes_less(drive->gear_asked, lanes_all((real)APEX_GEAR_AUTOMATIC)) &
                            ~lanes_equal(drive->gear_asked, drive->gear);
    lanes_mask is_idle = lanes_at_most(drive->gear, ZERO);
    return (is_by_gear | (is_automatic & (is_high | is_low | is_idle))) & drive->is_live &
           ~drive->is_held;
}

static void count_down(physics_substep *step) {
    physics_block *block = step->block;
    lanes_mask is_shifting = lanes_more(block->shift_left_s, lanes_zero()) & step->drive->is_live;
    if (!lanes_any(is_shifting)) {
        return;
    }
    block->shift_left_s = lanes_max(
        block->shift_left_s - lanes_keep(is_shifting, lanes_all(step->h_s)), lanes_zero());
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        if (is_shifting[lane] && block->shift_left_s[lane] <= R(0.0)) {
            block->gear_before[lane] = block->gear[lane];
        }
    }
}

void FOR_ISA(physics_shifting)(physics_substep *step) {
    lanes_mask wanted = wants_attention(step);
    if (lanes_any(wanted)) {
        for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
            if (wanted[lane]) {
                physics_gearbox_attend(step->cars, step->block_index * PHYSICS_LANES + lane);
            }
        }
    }
    count_down(step);
}
