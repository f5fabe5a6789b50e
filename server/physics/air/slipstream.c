// The wakes of cars and the slipstreams they make. The air behind a car moves along with it: a wake
// as wide as the car that fades over some lengths. Looked at ten times a second, at substeps that
// every tick rate has, and remembered in between.

#include "physics/air/slipstream.h"
#include "base/assert.h"
#include "physics/lanes/rows.h"
#include "physics/type/type.h"

#include <stdlib.h>
#include <string.h>

// Only a car that moves leaves a wake.
static const real WAKE_SPEED_MPS = R(15.0);

void physics_slipstream_destroy(physics_slipstream *slipstream) {
    if (slipstream != NULL) {
        free(slipstream->starts);
        free(slipstream->cars);
        free(slipstream->wakes);
        free(slipstream);
    }
}

physics_slipstream *physics_slipstream_create(uint32_t capacity, physics_wakes_felt_fn *felt) {
    APEX_ASSERT(capacity >= 1 && capacity <= APEX_CARS_MAX && felt != NULL);
    physics_slipstream *slipstream = calloc(1, sizeof *slipstream);
    if (slipstream == NULL) {
        return NULL;
    }
    uint32_t buckets = 16;
    while (buckets < 2 * capacity) {
        buckets *= 2;
    }
    slipstream->capacity = capacity;
    slipstream->felt = felt;
    slipstream->bucket_mask = buckets - 1;
    slipstream->starts = calloc((size_t)buckets + 1, sizeof *slipstream->starts);
    slipstream->cars = calloc(capacity, sizeof *slipstream->cars);
    size_t eights = (capacity + PHYSICS_LANES - 1) / PHYSICS_LANES;
    slipstream->wakes = physics_rows(eights, sizeof *slipstream->wakes);
    if (slipstream->starts == NULL || slipstream->cars == NULL || slipstream->wakes == NULL) {
        physics_slipstream_destroy(slipstream);
        return NULL;
    }
    return slipstream;
}

static int32_t cell_of(double position_m) {
    double x = position_m / (double)PHYSICS_WAKE_M;
    if (!(x > -1e9 && x < 1e9)) {
        return 0; // off the world's end
    }
    int32_t cut = (int32_t)x;
    return (double)cut > x ? cut - 1 : cut;
}

static void take_car(const physics_cars *cars, uint32_t slot, physics_wake_car *car) {
    const physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    const physics_hull *hull = &cars->types[block->type[lane]].hull;
    real vx = block->velocity_mps[0][lane], vy = block->velocity_mps[1][lane];
    real speed = real_sqrt(vx * vx + vy * vy);
    real per_speed = R(1.0) / real_max(speed, R(0.1));
    *car = (physics_wake_car){
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
    car->cell[0] = cell_of(car->x_m);
    car->cell[1] = cell_of(car->y_m);
}

static bool leaves_wake(const physics_wake_car *car) {
    return car->speed_mps >= WAKE_SPEED_MPS;
}

static void gather(const physics_cars *cars, physics_slipstream *slipstream) {
    slipstream->count = slipstream->wake_count = 0;
    for (uint32_t slot = 0; slot < cars->capacity; slot++) {
        if (apex_pool_is_index_live(&cars->pool, slot)) {
            physics_wake_car *car = &slipstream->cars[slipstream->count++];
            take_car(cars, slot, car);
            slipstream->wake_count += leaves_wake(car) ? 1 : 0;
        }
    }
}

static void put_wake(physics_slipstream *slipstream, uint32_t at, const physics_wake_car *car) {
    physics_wakes *wakes = &slipstream->wakes[at / PHYSICS_LANES];
    uint32_t lane = at % PHYSICS_LANES;
    wide_set(&wakes->x_m, lane, car->x_m);
    wide_set(&wakes->y_m, lane, car->y_m);
    lanes_set(&wakes->cos_course, lane, car->cos_course);
    lanes_set(&wakes->sin_course, lane, car->sin_course);
    lanes_set(&wakes->half_width_m, lane, car->half_width_m);
    lanes_set(&wakes->half_length_m, lane, car->half_length_m);
    lanes_set(&wakes->z_m, lane, car->z_m);
    wakes->slot[lane] = (int32_t)car->slot;
    wakes->column[lane] = car->cell[0];
    wakes->row[lane] = car->cell[1];
}

// Counting sort by bucket, stable: within one, cars stand in the order of their slots.
static void sort(physics_slipstream *slipstream) {
    uint32_t buckets = slipstream->bucket_mask + 1;
    uint32_t *starts = slipstream->starts;
    memset(starts, 0, ((size_t)buckets + 1) * sizeof *starts);
    for (uint32_t i = 0; i < slipstream->count; i++) {
        const physics_wake_car *car = &slipstream->cars[i];
        if (leaves_wake(car)) {
            starts[physics_wake_bucket(slipstream, car->cell)]++;
        }
    }
    for (uint32_t b = 1; b <= buckets; b++) {
        starts[b] += starts[b - 1];
    }
    for (uint32_t i = slipstream->count; i-- > 0;) {
        const physics_wake_car *car = &slipstream->cars[i];
        if (leaves_wake(car)) {
            put_wake(slipstream, --starts[physics_wake_bucket(slipstream, car->cell)], car);
        }
    }
}

void physics_slipstream_update(physics_slipstream *slipstream, physics_cars *cars) {
    APEX_ASSERT(cars->pool.live_count <= slipstream->capacity);
    gather(cars, slipstream);
    if (slipstream->wake_count == 0) {
        for (uint32_t block = 0; block < cars->block_count; block++) {
            cars->blocks[block].slipstream = lanes_zero();
        }
        return;
    }
    sort(slipstream);
    for (uint32_t i = 0; i < slipstream->count; i++) {
        const physics_wake_car *car = &slipstream->cars[i];
        lanes *felt = &cars->blocks[car->slot / PHYSICS_LANES].slipstream;
        lanes_set(felt, car->slot % PHYSICS_LANES, slipstream->felt(slipstream, car));
    }
}
