// The hash of a definition: field by field, for padding has no say.

#include "physics/type/car_def_hash.h"

#include "base/hash.h"
#include "physics/type/car_def_fields.h"

static void add_fields(apex_hash_stream *stream, const void *base,
                       const physics_def_ranges *ranges) {
    for (size_t i = 0; i < ranges->count; i++) {
        apex_hash_add(stream, (const char *)base + ranges->items[i].offset, sizeof(double));
    }
}

static void add_axle(apex_hash_stream *stream, const apex_axle_def *axle) {
    const apex_suspension_def *suspension = &axle->suspension;
    const uint32_t choices[] = {(uint32_t)axle->tyre.model, (uint32_t)axle->differential.kind,
                                (uint32_t)suspension->kind, suspension->camber_curve.count,
                                suspension->toe_curve.count};
    apex_hash_add(stream, choices, sizeof choices);
    add_fields(stream, axle, &PHYSICS_AXLE_RANGES);
    add_fields(stream, axle, &PHYSICS_MAGIC_RANGES);
    add_fields(stream, axle, &PHYSICS_STIFFNESS_RANGES);
    const apex_travel_curve *curves[] = {&suspension->camber_curve, &suspension->toe_curve};
    for (size_t c = 0; c < sizeof curves / sizeof *curves; c++) {
        apex_hash_add(stream, curves[c]->travel_m, curves[c]->count * sizeof(double));
        apex_hash_add(stream, curves[c]->value_rad, curves[c]->count * sizeof(double));
    }
}

uint64_t physics_car_def_hash(const apex_car_def *def) {
    apex_hash_stream stream;
    apex_hash_begin(&stream, 0);
    const uint32_t choices[] = {(uint32_t)def->model,
                                def->axle_count,
                                def->engine.torque_count,
                                def->gearbox.gear_count,
                                def->gearbox.automatic,
                                def->aids.automatic_clutch,
                                (uint32_t)def->centre_differential.kind,
                                (uint32_t)def->kinematic.form};
    apex_hash_add(&stream, choices, sizeof choices);
    add_fields(&stream, def, &PHYSICS_CAR_RANGES);
    for (uint32_t a = 0; a < def->axle_count; a++) {
        add_axle(&stream, &def->axles[a]);
    }
    apex_hash_add(&stream, def->engine.torque_rpm, def->engine.torque_count * sizeof(double));
    apex_hash_add(&stream, def->engine.torque_nm, def->engine.torque_count * sizeof(double));
    apex_hash_add(&stream, def->gearbox.ratio, def->gearbox.gear_count * sizeof(double));
    return apex_hash_end(&stream);
}
