#include "physics/car_private.h"

// Drag acts against the whole velocity, not per axis (Monster: F = -C v |v|); lift by the speed
// along the car.
void physics_aero_forces(physics_car_step *step) {
    const physics_type *type = step->type;
    real half_density = R(0.5) * step->world->air_kg_per_m3;
    real square = step->speed_x_mps * step->speed_x_mps + step->speed_y_mps * step->speed_y_mps;
    step->drag_n = half_density * type->drag_m2 * square;
    step->lift_n = half_density * type->lift_m2 * step->speed_x_mps * step->speed_x_mps;
    step->work->drag_n = step->drag_n;
    step->work->downforce_n = -step->lift_n;
}
