// Candidates for a tick: a uniform grid by counting sort, each pair of cars seen once.
//
// The grid has no bounds: a row of cells lies in the buckets as it lies in the world, and where a
// row begins is a hash. So the cells that a car looks at, half of its neighbourhood, are two runs
// of members: the rest of its own cell with the next one, and three cells of the next row. Cells
// far from each other may share a bucket; distance tells their cars apart.

#include "physics/contact/broad_phase.h"

#include "base/assert.h"
#include "physics/solver/manifold.h"

#include <stdlib.h>
#include <string.h>

// FOUND_MAX: partners that a car takes from its half of the neighbourhood. If there are more, as
// when hundreds of cars are put inside each other, it takes the first of its own cell by slot, then
// those of the cells after it. OBSTACLES_PER_CAR: walls and posts that each car's list has space
// for; any one car may have OBSTACLES_SPARE more, a hundred times those that stand along a road.
enum { FOUND_MAX = 256, OBSTACLES_PER_CAR = 128, OBSTACLES_SPARE = 4096 };
enum { BUCKETS_PER_CAR = 4, BUCKETS_MIN = 64, BUCKETS_COPIED = 3 };

// Sixteen bits hold a slot, a bucket, and a place among members: the arrays that a tick walks stay
// small.
_Static_assert(APEX_CARS_MAX <= (1u << 15) / BUCKETS_PER_CAR, "too many cars for sixteen bits");

// The most that a car may move in a tick beyond its speed: a collision can leave it faster than
// either car was, forces add to that, and contacts push it out of penetration.
static const real SPEED_SHARE = R(1.5);
static const real ACCELERATION_MPS2 = R(100.0);
static const real PUSH_MPS = R(6.0);
static const real SLACK_M = R(0.05);
// A car that is hit may become as fast as the fastest one. Beyond this speed no car that anybody
// drives hits another, and a stray one must not make candidates of all.
static const real SHARED_MPS_MAX = R(150.0);
// A car that is faster, turns faster or is further off is stopped by the first substep.
static const real OWN_MPS_MAX = R(1500.0);
static const real SPIN_RADPS_MAX = R(1000.0);
static const double WORLD_M = 1e7;
// Cells are larger than the longest range by more than rounding can take.
static const double CELL_MARGIN = 1.0001;
// 2^64 over the golden ratio (Knuth, TAOCP 6.4): rows next to each other begin 0.62 of all buckets
// apart, so that the runs a car looks at never overlap, nor those that look back at it.
static const uint64_t ROW_HASH = 0x9e3779b97f4a7c15u;

typedef struct tick_car {
    double x_m, y_m;
    real reach_m;  ///< its radius, and how far from here it may get or meet something
    real travel_m; ///< part of the reach: by its own speed
    uint16_t slot;
    uint16_t bucket;
    uint16_t ahead; ///< first of the three buckets in the next row
    bool is_ghost, is_held;
} tick_car;

typedef struct grid_member {
    double x_m, y_m;
    real reach_m;
    uint16_t slot, bucket, ahead;
    bool is_held;
} grid_member;

struct physics_broad_phase {
    const physics_walls *walls; ///< NULL if there are none
    uint32_t car_capacity;

    tick_car *cars; ///< all live ones, by slot
    uint32_t car_count, solid_count;
    real shared_travel_m; ///< by the fastest car's speed
    real longest_m;       ///< reach of all solid cars

    uint16_t *starts;     ///< [bucket] into members; the first few buckets again at the end
    grid_member *members; ///< by bucket, then slot
    uint32_t *pairs, *sorted_pairs, *slot_counts;
    uint32_t pair_count;

    uint32_t *obstacles;
    uint16_t *obstacle_slots; ///< cars that have a list in `obstacles`
    uint32_t *obstacle_ends;  ///< likewise: where it ends
    uint32_t obstacle_count;

    bool *is_involved; ///< [slot], all false between finds
    uint32_t *involved, *pair_starts, *obstacle_starts;
    uint32_t involved_count;
};

static uint32_t bucket_bits(uint32_t cars) {
    uint32_t bits = 0;
    while (1u << bits < BUCKETS_MIN || 1u << bits < BUCKETS_PER_CAR * cars) {
        bits++;
    }
    return bits;
}

uint32_t physics_broad_phase_pairs_max(const physics_broad_phase *broad) {
    return broad->car_capacity * FOUND_MAX;
}

uint32_t physics_broad_phase_obstacles_max(const physics_broad_phase *broad) {
    return broad->walls != NULL ? broad->car_capacity * OBSTACLES_PER_CAR + OBSTACLES_SPARE : 1;
}

static bool allocate(physics_broad_phase *broad) {
    size_t cars = broad->car_capacity, buckets = (size_t)1 << bucket_bits(broad->car_capacity);
    broad->cars = calloc(cars, sizeof *broad->cars);
    broad->starts = calloc(buckets + BUCKETS_COPIED + 1, sizeof *broad->starts);
    broad->members = calloc(2 * cars, sizeof *broad->members);
    // The last car may find all others, before what is too many is cut off.
    broad->pairs = calloc(physics_broad_phase_pairs_max(broad) + 2 * cars, sizeof *broad->pairs);
    broad->sorted_pairs = calloc(physics_broad_phase_pairs_max(broad), sizeof *broad->sorted_pairs);
    broad->slot_counts = calloc(cars + 1, sizeof *broad->slot_counts);
    broad->obstacles = calloc(physics_broad_phase_obstacles_max(broad), sizeof *broad->obstacles);
    broad->obstacle_slots = calloc(cars, sizeof *broad->obstacle_slots);
    broad->obstacle_ends = calloc(cars, sizeof *broad->obstacle_ends);
    broad->is_involved = calloc(cars, sizeof *broad->is_involved);
    broad->involved = calloc(cars, sizeof *broad->involved);
    broad->pair_starts = calloc(cars + 1, sizeof *broad->pair_starts);
    broad->obstacle_starts = calloc(cars + 1, sizeof *broad->obstacle_starts);
    return broad->cars != NULL && broad->starts != NULL && broad->members != NULL &&
           broad->pairs != NULL && broad->sorted_pairs != NULL && broad->slot_counts != NULL &&
           broad->obstacles != NULL && broad->obstacle_slots != NULL &&
           broad->obstacle_ends != NULL && broad->is_involved != NULL && broad->involved != NULL &&
           broad->pair_starts != NULL && broad->obstacle_starts != NULL;
}

physics_broad_phase *physics_broad_phase_create(uint32_t car_capacity, const physics_walls *walls) {
    APEX_ASSERT(car_capacity >= 1 && car_capacity <= APEX_CARS_MAX);
    physics_broad_phase *broad = calloc(1, sizeof *broad);
    if (broad == NULL) {
        return NULL;
    }
    broad->car_capacity = car_capacity;
    broad->walls = physics_walls_are_none(walls) ? NULL : walls;
    if (!allocate(broad)) {
        physics_broad_phase_destroy(broad);
        return NULL;
    }
    return broad;
}

void physics_broad_phase_destroy(physics_broad_phase *broad) {
    if (broad == NULL) {
        return;
    }
    free(broad->cars);
    free(broad->starts);
    free(broad->members);
    free(broad->pairs);
    free(broad->sorted_pairs);
    free(broad->slot_counts);
    free(broad->obstacles);
    free(broad->obstacle_slots);
    free(broad->obstacle_ends);
    free(broad->is_involved);
    free(broad->involved);
    free(broad->pair_starts);
    free(broad->obstacle_starts);
    free(broad);
}

typedef struct car_body {
    double x_m, y_m;
    real velocity_x_mps, velocity_y_mps, yaw_radps;
    real radius_m;
    bool is_live, is_ghost, is_held;
} car_body;

// The one place that knows where a car's state lies.
static void read_body(const physics_cars *cars, uint32_t slot, car_body *body) {
    body->is_live = apex_pool_is_index_live(&cars->pool, slot);
    if (!body->is_live) {
        return;
    }
    const physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    body->x_m = wide_get(&block->position_m[0], lane);
    body->y_m = wide_get(&block->position_m[1], lane);
    body->velocity_x_mps = block->velocity_mps[0][lane];
    body->velocity_y_mps = block->velocity_mps[1][lane];
    body->yaw_radps = block->angular_radps[2][lane];
    body->radius_m = cars->types[block->type[lane]].hull.radius_m;
    body->is_ghost = block->ghost[lane];
    body->is_held = block->held[lane];
}

// The place where the first substep would stop a car that is too far off; so for a NaN, too.
static double within_the_world_m(double position_m) {
    return fabs(position_m) < WORLD_M ? position_m : 0.0;
}

static void gather(physics_broad_phase *broad, const physics_cars *cars, real tick_s) {
    real fastest_mps = R(0.0), longest_m = R(0.0), longest_rest_m = R(0.0);
    real same_for_all_m = tick_s * (PUSH_MPS + R(0.5) * ACCELERATION_MPS2 * tick_s) + SLACK_M;
    broad->car_count = broad->solid_count = 0;
    for (uint32_t slot = 0; slot < broad->car_capacity; slot++) {
        car_body body;
        read_body(cars, slot, &body);
        if (!body.is_live) {
            continue;
        }
        real square =
            body.velocity_x_mps * body.velocity_x_mps + body.velocity_y_mps * body.velocity_y_mps;
        real speed_mps = real_min(real_sqrt(square), OWN_MPS_MAX);
        real spin_mps = real_min(real_abs(body.yaw_radps), SPIN_RADPS_MAX) * body.radius_m;
        tick_car *car = &broad->cars[broad->car_count++];
        car->x_m = within_the_world_m(body.x_m);
        car->y_m = within_the_world_m(body.y_m);
        car->travel_m = SPEED_SHARE * tick_s * speed_mps;
        car->reach_m = body.radius_m + SPEED_SHARE * tick_s * spin_mps + same_for_all_m;
        car->slot = (uint16_t)slot;
        car->is_ghost = body.is_ghost;
        car->is_held = body.is_held;
        if (!body.is_ghost) {
            broad->solid_count++;
            fastest_mps = real_max(fastest_mps, speed_mps);
            longest_m = real_max(longest_m, car->reach_m + car->travel_m);
            longest_rest_m = real_max(longest_rest_m, car->reach_m);
        }
    }
    broad->shared_travel_m = SPEED_SHARE * tick_s * real_min(fastest_mps, SHARED_MPS_MAX);
    broad->longest_m = real_max(longest_m, longest_rest_m + broad->shared_travel_m);
}

static int64_t cell_of(double position_m, double per_cell_m) {
    double x = position_m * per_cell_m;
    int64_t cut = (int64_t)x;
    return (double)cut > x ? cut - 1 : cut;
}

// Reaches become whole, and solid cars are counted where they will lie.
static void count_cars(physics_broad_phase *broad, uint32_t bits) {
    double per_cell_m = 1.0 / (2.0 * CELL_MARGIN * (double)broad->longest_m);
    uint32_t mask = (1u << bits) - 1;
    for (uint32_t i = 0; i < broad->car_count; i++) {
        tick_car *car = &broad->cars[i];
        car->reach_m += real_max(car->travel_m, broad->shared_travel_m);
        if (car->is_ghost) {
            continue;
        }
        uint32_t column = (uint32_t)cell_of(car->x_m, per_cell_m);
        uint64_t row_hash = (uint64_t)cell_of(car->y_m, per_cell_m) * ROW_HASH;
        uint64_t next_row_hash = row_hash + ROW_HASH;
        car->bucket = (uint16_t)(((uint32_t)(row_hash >> (64 - bits)) + column) & mask);
        car->ahead = (uint16_t)(((uint32_t)(next_row_hash >> (64 - bits)) + column - 1) & mask);
        broad->starts[car->bucket]++;
    }
}

// The runs that a car looks at may begin in the last buckets: so the first ones follow them.
static void copy_first_buckets(physics_broad_phase *broad, uint32_t buckets) {
    uint32_t end = broad->starts[buckets];
    for (uint32_t b = 0; b < BUCKETS_COPIED; b++) {
        uint32_t begin = broad->starts[b], count = broad->starts[b + 1] - begin;
        memcpy(&broad->members[end], &broad->members[begin], count * sizeof *broad->members);
        end += count;
        broad->starts[buckets + b + 1] = (uint16_t)end;
    }
}

static void sort_into_grid(physics_broad_phase *broad) {
    uint32_t bits = bucket_bits(broad->solid_count), buckets = 1u << bits;
    uint16_t *starts = broad->starts;
    memset(starts, 0, ((size_t)buckets + 1) * sizeof *starts);
    count_cars(broad, bits);
    for (uint32_t b = 0, end = 0; b <= buckets; b++) {
        end += starts[b];
        starts[b] = (uint16_t)end;
    }
    for (uint32_t i = broad->car_count; i-- > 0;) {
        const tick_car *car = &broad->cars[i];
        if (!car->is_ghost) {
            broad->members[--starts[car->bucket]] = (grid_member){.x_m = car->x_m,
                                                                  .y_m = car->y_m,
                                                                  .reach_m = car->reach_m,
                                                                  .bucket = car->bucket,
                                                                  .ahead = car->ahead,
                                                                  .slot = car->slot,
                                                                  .is_held = car->is_held};
        }
    }
    copy_first_buckets(broad, buckets);
}

// @param found slots of those within range; there must be room for all.
// @return how many there are.
static inline uint32_t test_range(const grid_member *car, const grid_member *begin,
                                  const grid_member *end, uint32_t found[]) {
    const double x_m = car->x_m, y_m = car->y_m;
    const real reach_m = car->reach_m;
    const uint32_t is_held = car->is_held;
    uint32_t count = 0;
    for (const grid_member *other = begin; other < end; other++) {
        double dx = other->x_m - x_m, dy = other->y_m - y_m;
        double range = (double)(other->reach_m + reach_m);
        // Written in any case: one in five is within range, too often for branch prediction.
        found[count] = other->slot;
        count += (dx * dx + dy * dy < range * range) & ~(other->is_held & is_held);
    }
    return count;
}

// A stable counting sort by one of the two slots of a pair.
static void sort_by_slot(physics_broad_phase *broad, const uint32_t *from, uint32_t *to,
                         uint32_t shift) {
    uint32_t *counts = broad->slot_counts;
    memset(counts, 0, ((size_t)broad->car_capacity + 1) * sizeof *counts);
    for (uint32_t i = 0; i < broad->pair_count; i++) {
        counts[(from[i] >> shift & 0xffff) + 1]++;
    }
    for (uint32_t slot = 0, end = 0; slot < broad->car_capacity; slot++) {
        end += counts[slot];
        counts[slot] = end;
    }
    for (uint32_t i = 0; i < broad->pair_count; i++) {
        to[counts[from[i] >> shift & 0xffff]++] = from[i];
    }
}

static void find_pairs(physics_broad_phase *broad) {
    broad->pair_count = 0;
    sort_into_grid(broad);
    for (uint32_t m = 0; m < broad->solid_count; m++) {
        const grid_member *car = &broad->members[m];
        const uint16_t *own = &broad->starts[car->bucket], *ahead = &broad->starts[car->ahead];
        uint32_t *found = &broad->pairs[broad->pair_count];
        const grid_member *members = broad->members;
        uint32_t count = test_range(car, car + 1, &members[own[2]], found);
        count += test_range(car, &members[ahead[0]], &members[ahead[3]], &found[count]);
        count = count < FOUND_MAX ? count : FOUND_MAX;
        for (uint32_t i = 0; i < count; i++) {
            found[i] = physics_pair(car->slot, found[i]);
        }
        broad->pair_count += count;
    }
    if (broad->pair_count > 0) {
        sort_by_slot(broad, broad->pairs, broad->sorted_pairs, 0);
        sort_by_slot(broad, broad->sorted_pairs, broad->pairs, 16);
    }
    for (uint32_t i = 0; i < broad->pair_count; i++) {
        broad->is_involved[physics_pair_lower(broad->pairs[i])] = true;
        broad->is_involved[physics_pair_higher(broad->pairs[i])] = true;
    }
}

static void find_walls(physics_broad_phase *broad) {
    uint32_t used = 0, room = physics_broad_phase_obstacles_max(broad);
    broad->obstacle_count = 0;
    for (uint32_t i = 0; broad->walls != NULL && i < broad->car_count; i++) {
        const tick_car *car = &broad->cars[i];
        if (car->is_held) {
            continue;
        }
        physics_circle circle = {car->x_m, car->y_m, (double)car->reach_m};
        uint32_t others = OBSTACLES_PER_CAR * (broad->car_count - 1 - i);
        uint32_t count = physics_walls_find(broad->walls, &circle, &broad->obstacles[used],
                                            room - used - others);
        if (count == 0) {
            continue;
        }
        used += count;
        broad->obstacle_slots[broad->obstacle_count] = car->slot;
        broad->obstacle_ends[broad->obstacle_count++] = used;
        broad->is_involved[car->slot] = true;
    }
}

// Pairs and lists of walls both lie by slot already: one walk over the slots finds where.
static void list_involved(physics_broad_phase *broad) {
    uint32_t count = 0, pair = 0, obstacles = 0, list = 0;
    bool is_any = broad->pair_count > 0 || broad->obstacle_count > 0;
    for (uint32_t slot = 0; is_any && slot < broad->car_capacity; slot++) {
        if (!broad->is_involved[slot]) {
            continue;
        }
        broad->is_involved[slot] = false;
        broad->involved[count] = slot;
        broad->pair_starts[count] = pair;
        broad->obstacle_starts[count++] = obstacles;
        while (pair < broad->pair_count && physics_pair_lower(broad->pairs[pair]) == slot) {
            pair++;
        }
        if (list < broad->obstacle_count && broad->obstacle_slots[list] == slot) {
            obstacles = broad->obstacle_ends[list++];
        }
    }
    broad->pair_starts[count] = pair;
    broad->obstacle_starts[count] = obstacles;
    broad->involved_count = count;
}

void physics_broad_phase_find(physics_broad_phase *broad, const physics_cars *cars, real tick_s) {
    APEX_ASSERT(cars->capacity == broad->car_capacity && tick_s > R(0.0));
    gather(broad, cars, tick_s);
    find_pairs(broad);
    find_walls(broad);
    list_involved(broad);
}

physics_candidates physics_broad_phase_candidates(const physics_broad_phase *broad) {
    return (physics_candidates){.involved = broad->involved,
                                .count = broad->involved_count,
                                .pair_starts = broad->pair_starts,
                                .pairs = broad->pairs,
                                .obstacle_starts = broad->obstacle_starts,
                                .obstacles = broad->obstacles};
}
