// Damage from contact impulses: those of a substep damage the zone that they act on, so that
// leaning on a wall costs nothing and no tick rate costs more than another.
//
// The effects of damage on a car are in the stages: the front zone costs drag, downforce (aero.c)
// and, past 40 %, torque (engine.c); the rear costs downforce, and the drag of the wing that made
// it; a side turns its steered wheel out and the other one half as far (steering.c), and drags on
// its tyres (driveline.c). All is proportional or smooth, nothing breaks off at a threshold that a
// driver would race up to. A motorcycle's sides and a kinematic car feel nothing: the one has no
// track rod and no bodywork over its wheels, the other no forces. A roof is damaged by cars that
// land on it, and costs nothing; contacts with the ground do no damage (DECISIONS 23).

#include "physics/contact/damage.h"

#include "base/assert.h"
#include "physics/solver/zones.h"

// A change of speed below the first costs nothing; one of the second wrecks a zone.
static const real HARMLESS_MPS = R(1.5);
static const real WRECK_MPS = R(25.0);

static void damage_zone(physics_cars *cars, uint32_t slot, apex_damage_zone zone, real change_mps) {
    real share = (change_mps - HARMLESS_MPS) / (WRECK_MPS - HARMLESS_MPS);
    if (share > R(0.0)) {
        lanes *damage = &cars->blocks[slot / PHYSICS_LANES].damage[zone];
        uint32_t lane = slot % PHYSICS_LANES;
        lanes_set(damage, lane, real_min((*damage)[lane] + share, R(1.0)));
        physics_steer_caches_clear(cars, slot);
    }
}

static void damage_pair(physics_cars *cars, const physics_solver *solver,
                        const physics_constraints *constraints, uint32_t lane) {
    const physics_hulls *hulls = &solver->hulls;
    const lanes *impulse_ns = constraints->normals.impulse_ns;
    real total_ns = impulse_ns[0][lane] + impulse_ns[1][lane];
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t slot = side == 0 ? constraints->pairs.a[lane] : constraints->pairs.b[lane];
        if (slot < hulls->count) {
            physics_hit hit = physics_hit_on(&constraints->manifold, lane, side);
            damage_zone(cars, slot, physics_zone_of(hulls, slot, &hit),
                        total_ns * hulls->motions[slot].inverse_mass);
        }
    }
}

void physics_damage_apply(physics_cars *cars, const physics_solver *solver) {
    APEX_ASSERT(solver->hulls.count == cars->block_count * PHYSICS_LANES);
    if (cars->conditions.damage == APEX_DAMAGE_OFF) {
        return;
    }
    for (uint32_t g = 0; g < solver->graph.count; g++) {
        const physics_constraints *constraints = &solver->graph.batches[g];
        for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
            if (constraints->normals.impulse_ns[0][lane] > R(0.0) ||
                constraints->normals.impulse_ns[1][lane] > R(0.0)) {
                damage_pair(cars, solver, constraints, lane);
            }
        }
    }
}
