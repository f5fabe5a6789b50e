// Who drives in whose slipstream. The air behind a car moves along with it: a wake as wide as the
// car that fades over some lengths. Looked at ten times a second, at substeps that every tick rate
// has, and remembered in between.

#include "physics/slipstream_private.h"

#include <stdlib.h>
#include <string.h>

// The wake is felt up to here, and only behind cars that move.
static const real WAKE_M = R(32.0);
static const real WAKE_SPREAD = R(0.03); ///< widening per distance
static const real WAKE_SPEED_MPS = R(15.0);

typedef struct wake_car {
    double x_m, y_m;
    real cos_course, sin_course; ///< of its motion
    real speed_mps, half_width_m, half_length_m, z_m;
    uint32_t slot;
    int32_t column, row;
} wake_car;

struct physics_slipstream {
    uint32_t capacity, bucket_mask;
    uint32_t *starts; ///< [bucket]; one more at the end
    wake_car *cars;   ///< by slot
    wake_car *wakes;  ///< those that leave one, by bucket
    uint32_t count, wake_count;
};

void physics_slipstream_destroy(physics_slipstream *slipstream) {
    if (slipstream != NULL) {
        free(slipstream->starts);
        free(slipstream->cars);
        free(slipstream->wakes);
        free(slipstream);
    }
}

physics_slipstream *physics_slipstream_create(uint32_t capacity) {
    physics_slipstream *slipstream = calloc(1, sizeof *slipstream);
    if (slipstream == NULL) {
        return NULL;
    }
    uint32_t buckets = 16;
    while (buckets < 2 * capacity) {
        buckets *= 2;
    }
    slipstream->capacity = capacity;
    slipstream->bucket_mask = buckets - 1;
    slipstream->starts = calloc((size_t)buckets + 1, sizeof *slipstream->starts);
    slipstream->cars = calloc(capacity, sizeof *slipstream->cars);
    slipstream->wakes = calloc(capacity, sizeof *slipstream->wakes);
    if (slipstream->starts == NULL || slipstream->cars == NULL || slipstream->wakes == NULL) {
        physics_slipstream_destroy(slipstream);
        return NULL;
    }
    return slipstream;
}

static int32_t cell_of(double position_m) {
    double x = position_m / (double)WAKE_M;
    if (!(x > -1e9 && x < 1e9)) {
        return 0; // off the world's end
    }
    int32_t cut = (int32_t)x;
    return (double)cut > x ? cut - 1 : cut;
}

static uint32_t bucket_of(const physics_slipstream *slipstream, int32_t column, int32_t row) {
    uint32_t hash = (uint32_t)column * 0x9e3779b1u + (uint32_t)row * 0x85ebca77u;
    return (hash >> 8) & slipstream->bucket_mask;
}

static void take_car(const apex_world *world, uint32_t slot, wake_car *car) {
    const physics_block *block = &world->blocks[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    const physics_hull *hull = &world->types[block->type[lane]].hull;
    real vx = block->velocity_mps[0][lane], vy = block->velocity_mps[1][lane];
    real speed = real_sqrt(vx * vx + vy * vy);
    real per_speed = R(1.0) / real_max(speed, R(0.1));
    *car = (wake_car){
        .x_m = wide_get(&block->position_m[0], lane),
        .y_m = wide_get(&block->position_m[1], lane),
        .cos_course = vx * per_speed,
        .sin_course = vy * per_speed,
        .speed_mps = speed,
        .half_width_m = hull->half_width_m,
        .half_length_m = hull->half_length_m,
        .z_m = (real)wide_get(&block->position_m[2], lane),
        .slot = slot,
    };
    car->column = cell_of(car->x_m);
    car->row = cell_of(car->y_m);
}

static bool leaves_wake(const wake_car *car) {
    return car->speed_mps >= WAKE_SPEED_MPS;
}

static void gather(const apex_world *world, physics_slipstream *slipstream) {
    slipstream->count = slipstream->wake_count = 0;
    for (uint32_t slot = 0; slot < world->def.car_capacity; slot++) {
        if (apex_pool_is_index_live(&world->pool, slot)) {
            wake_car *car = &slipstream->cars[slipstream->count++];
            take_car(world, slot, car);
            slipstream->wake_count += leaves_wake(car) ? 1 : 0;
        }
    }
}

// Counting sort by bucket, stable: within one, cars stand in the order of their slots.
static void sort(physics_slipstream *slipstream) {
    uint32_t buckets = slipstream->bucket_mask + 1;
    uint32_t *starts = slipstream->starts;
    memset(starts, 0, ((size_t)buckets + 1) * sizeof *starts);
    for (uint32_t i = 0; i < slipstream->count; i++) {
        const wake_car *car = &slipstream->cars[i];
        if (leaves_wake(car)) {
            starts[bucket_of(slipstream, car->column, car->row)]++;
        }
    }
    for (uint32_t b = 1; b <= buckets; b++) {
        starts[b] += starts[b - 1];
    }
    for (uint32_t i = slipstream->count; i-- > 0;) {
        const wake_car *car = &slipstream->cars[i];
        if (leaves_wake(car)) {
            slipstream->wakes[--starts[bucket_of(slipstream, car->column, car->row)]] = *car;
        }
    }
}

// How much of `ahead`'s wake is felt at `car`: full right behind it, none beside it.
static real wake_at(const wake_car *car, const wake_car *ahead) {
    real dx = (real)(ahead->x_m - car->x_m), dy = (real)(ahead->y_m - car->y_m);
    real along = dx * ahead->cos_course + dy * ahead->sin_course;
    real gap = along - ahead->half_length_m - car->half_length_m;
    if (along <= R(0.0) || gap >= WAKE_M || real_abs(ahead->z_m - car->z_m) > R(3.0)) {
        return R(0.0);
    }
    gap = real_max(gap, R(0.0));
    real across = real_abs(dy * ahead->cos_course - dx * ahead->sin_course);
    real width = ahead->half_width_m + car->half_width_m + WAKE_SPREAD * gap;
    real inside = real_clamp(R(1.0) - across / width, R(0.0), R(1.0));
    real with = car->cos_course * ahead->cos_course + car->sin_course * ahead->sin_course;
    return inside * (R(1.0) - gap / WAKE_M) * real_max(with, R(0.0));
}

static real strongest_wake(const physics_slipstream *slipstream, const wake_car *car) {
    real most = R(0.0);
    for (int32_t k = 0; k < 9; k++) {
        int32_t column = car->column + k % 3 - 1, row = car->row + k / 3 - 1;
        uint32_t bucket = bucket_of(slipstream, column, row);
        uint32_t end = slipstream->starts[bucket + 1];
        for (uint32_t i = slipstream->starts[bucket]; i < end; i++) {
            const wake_car *other = &slipstream->wakes[i];
            if (other->column == column && other->row == row && other->slot != car->slot) {
                most = real_max(most, wake_at(car, other));
            }
        }
    }
    return most;
}

void physics_slipstream_update(apex_world *world) {
    physics_slipstream *slipstream = world->slipstream;
    gather(world, slipstream);
    if (slipstream->wake_count == 0) {
        for (uint32_t block = 0; block < world->block_count; block++) {
            world->blocks[block].slipstream = lanes_zero();
        }
        return;
    }
    sort(slipstream);
    for (uint32_t i = 0; i < slipstream->count; i++) {
        const wake_car *car = &slipstream->cars[i];
        lanes *felt = &world->blocks[car->slot / PHYSICS_LANES].slipstream;
        lanes_set(felt, car->slot % PHYSICS_LANES, strongest_wake(slipstream, car));
    }
}
