// Impulses of a substep become damage of the zone they hit, so that leaning on a wall costs nothing
// and no tick rate costs more than another. What damage does to a car stands in the stages: front
// and rear in aero.c, front in engine.c, left and right in steering.c and driveline.c. A kinematic
// car has no forces that it could weaken.

#include "physics/contact/damage.h"

#include "physics/solver/zones.h"

// A change of speed below the first costs nothing; one of the second wrecks a zone.
static const real HARMLESS_MPS = R(1.5);
static const real WRECK_MPS = R(25.0);

static void hurt(physics_cars *cars, uint32_t slot, apex_damage_zone zone, real change_mps) {
    real share = (change_mps - HARMLESS_MPS) / (WRECK_MPS - HARMLESS_MPS);
    if (share > R(0.0)) {
        lanes *damage = &cars->blocks[slot / PHYSICS_LANES].damage[zone];
        uint32_t lane = slot % PHYSICS_LANES;
        lanes_set(damage, lane, real_min((*damage)[lane] + share, R(1.0)));
        physics_aims_forget(cars, slot);
    }
}

static void hurt_both(physics_cars *cars, const physics_solver *solver,
                      const physics_constraints *contacts, uint32_t lane) {
    const physics_hulls *hulls = &solver->hulls;
    const lanes *impulse_ns = contacts->normals.impulse_ns;
    real total_ns = impulse_ns[0][lane] + impulse_ns[1][lane];
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t slot = side == 0 ? contacts->pairs.a[lane] : contacts->pairs.b[lane];
        if (slot < hulls->count) {
            physics_pressing by = physics_pressing_on(&contacts->manifold, lane, side);
            hurt(cars, slot, physics_zone_of(hulls, slot, &by),
                 total_ns * hulls->motions[slot].inverse_mass);
        }
    }
}

void physics_damage_apply(physics_cars *cars, const physics_solver *solver) {
    if (cars->conditions.damage == APEX_DAMAGE_OFF) {
        return;
    }
    for (uint32_t g = 0; g < solver->groups.count; g++) {
        const physics_constraints *contacts = &solver->groups.items[g];
        for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
            if (contacts->normals.impulse_ns[0][lane] > R(0.0) ||
                contacts->normals.impulse_ns[1][lane] > R(0.0)) {
                hurt_both(cars, solver, contacts, lane);
            }
        }
    }
}
