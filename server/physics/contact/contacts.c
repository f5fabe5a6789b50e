// Pairs that touched become events, and their impulses persist from tick to tick.

#include "physics/contact/contacts.h"

#include "physics/solver/manifold.h"

#include <stdlib.h>
#include <string.h>

bool physics_touches_allocate(physics_touches *touches, uint32_t capacity) {
    touches->capacity = capacity;
    touches->persisted = calloc(capacity, sizeof *touches->persisted);
    touches->persisted_next = calloc(capacity, sizeof *touches->persisted_next);
    touches->events = calloc(capacity, sizeof *touches->events);
    return touches->persisted != NULL && touches->persisted_next != NULL && touches->events != NULL;
}

void physics_touches_free(physics_touches *touches) {
    free(touches->persisted);
    free(touches->persisted_next);
    free(touches->events);
}

typedef struct candidate {
    uint32_t slot, other;
    apex_contact_kind kind;
    uint64_t key;
    uint32_t impulses, other_half; ///< the same again where there is none
} candidate;

static inline candidate pair_at(const physics_contact_tick *tick, uint32_t index) {
    uint32_t pair = tick->candidates->pairs[index];
    candidate at = {.slot = physics_pair_lower(pair),
                    .other = physics_pair_higher(pair),
                    .kind = APEX_CONTACT_CAR,
                    .impulses = index,
                    .other_half = tick->map.other_halves + index};
    at.key = physics_contact_key(at.slot, at.kind, at.other);
    return at;
}

static inline candidate near_at(const physics_contact_tick *tick, uint32_t slot, uint32_t index) {
    uint32_t item = tick->candidates->near[index], walls = tick->segment_count;
    bool is_wall = item < walls;
    candidate at = {.slot = slot,
                    .other = is_wall ? item : item - walls,
                    .kind = is_wall ? APEX_CONTACT_WALL : APEX_CONTACT_POST,
                    .impulses = tick->map.near + index,
                    .other_half = tick->map.near + index};
    at.key = physics_contact_key(at.slot, at.kind, at.other);
    return at;
}

// Of two rising lists: where the key is, or would be. @return whether it is there.
static bool find_persisted(const physics_touches *touches, uint64_t key, uint32_t *at) {
    while (*at < touches->persisted_count && touches->persisted[*at].key < key) {
        ++*at;
    }
    return *at < touches->persisted_count && touches->persisted[*at].key == key;
}

static void load_half(const physics_persisted *persisted, uint32_t half, real substep,
                      physics_impulses *impulses) {
    const real *normal_ns = &persisted->normal_ns[2 * half],
               *tangent_ns = &persisted->tangent_ns[2 * half];
    *impulses = (physics_impulses){.normal_ns = {normal_ns[0], normal_ns[1]},
                                   .tangent_ns = {tangent_ns[0], tangent_ns[1]},
                                   .substep = substep};
}

// @return whether it has another half.
static bool load_impulses(const physics_persisted *persisted, const physics_impulse_cache *cache,
                          const candidate *at) {
    bool has_half =
        at->kind == APEX_CONTACT_CAR && persisted->normal_ns[2] + persisted->normal_ns[3] > R(0.0);
    load_half(persisted, 0, cache->substep, &cache->items[at->impulses]);
    if (has_half) {
        load_half(persisted, 1, cache->substep, &cache->items[at->other_half]);
    }
    return has_half;
}

bool physics_touches_carry(const physics_touches *touches, const physics_contact_tick *tick) {
    const physics_candidates *of = tick->candidates;
    uint32_t next = 0;
    bool has_half = false;
    for (uint32_t car = 0; car < of->count && next < touches->persisted_count; car++) {
        for (uint32_t p = of->pair_starts[car]; p < of->pair_starts[car + 1]; p++) {
            candidate at = pair_at(tick, p);
            if (find_persisted(touches, at.key, &next)) {
                has_half |= load_impulses(&touches->persisted[next], tick->cache, &at);
            }
        }
        for (uint32_t n = of->near_starts[car]; n < of->near_starts[car + 1]; n++) {
            candidate at = near_at(tick, of->involved[car], n);
            if (find_persisted(touches, at.key, &next)) {
                has_half |= load_impulses(&touches->persisted[next], tick->cache, &at);
            }
        }
    }
    return has_half;
}

static apex_car_id id_at(const apex_pool *pool, uint32_t slot) {
    apex_pool_ref ref = apex_pool_ref_at(pool, slot);
    return (apex_car_id){(uint16_t)ref.index1, (uint16_t)ref.generation};
}

static apex_contact_event event_of(const physics_contact_tick *tick, const candidate *at) {
    const physics_impulses *half[2] = {&tick->cache->items[at->impulses],
                                       &tick->cache->items[at->other_half]};
    bool has_half =
        tick->has_other_halves && at->other_half != at->impulses && half[1]->sum_ns > R(0.0);
    bool is_harder = has_half && half[1]->hardest_ns > half[0]->hardest_ns;
    const physics_moment *moment = &tick->cache->moments[is_harder ? at->other_half : at->impulses];
    bool is_car = at->kind == APEX_CONTACT_CAR;
    apex_contact_event event = {
        .car = id_at(tick->pool, at->slot),
        .other = is_car ? id_at(tick->pool, at->other) : (apex_car_id){0},
        .other_index = is_car ? 0 : at->other,
        .kind = at->kind,
        .impulse_ns = (double)(half[0]->sum_ns + (has_half ? half[1]->sum_ns : R(0.0))),
        .closing_mps =
            (double)real_max(half[0]->closing_mps, has_half ? half[1]->closing_mps : R(0.0)),
        .zone = moment->zone,
        .other_zone = is_car ? moment->other_zone : APEX_ZONE_FRONT,
    };
    for (uint32_t i = 0; i < 3; i++) {
        event.point_m[i] = (double)moment->point_m[i];
        event.normal[i] = (double)moment->normal[i];
    }
    return event;
}

// Only what touched to the end persists.
static void persist_half(const physics_impulse_cache *cache, uint32_t impulses,
                         real out_normal_ns[2], real out_tangent_ns[2]) {
    const physics_impulses *from = &cache->items[impulses];
    bool is_fresh = from->substep == cache->substep;
    for (uint32_t p = 0; p < 2; p++) {
        out_normal_ns[p] = is_fresh ? from->normal_ns[p] : R(0.0);
        out_tangent_ns[p] = is_fresh ? from->tangent_ns[p] : R(0.0);
    }
}

static void persist(const physics_contact_tick *tick, const candidate *at, physics_persisted *out) {
    const physics_impulse_cache *cache = tick->cache;
    *out = (physics_persisted){.key = at->key};
    persist_half(cache, at->impulses, &out->normal_ns[0], &out->tangent_ns[0]);
    if (at->kind == APEX_CONTACT_CAR && tick->has_other_halves) {
        persist_half(cache, at->other_half, &out->normal_ns[2], &out->tangent_ns[2]);
    }
}

static bool has_touched(const physics_impulse_cache *cache, uint32_t impulses) {
    return cache->items[impulses].sum_ns > R(0.0);
}

/// What becomes of a tick's touches: events, and what persists of them.
typedef struct gathering {
    physics_touches *touches;
    const physics_contact_tick *tick;
    uint32_t before; ///< place among what persisted
    uint32_t count;
} gathering;

static void add_touch(gathering *all, const candidate *at) {
    physics_touches *touches = all->touches;
    if (all->count == touches->capacity) {
        return;
    }
    touches->events[all->count] = event_of(all->tick, at);
    touches->events[all->count].began = !find_persisted(touches, at->key, &all->before);
    persist(all->tick, at, &touches->persisted_next[all->count++]);
}

static void gather_car(gathering *all, uint32_t car) {
    const physics_candidates *of = all->tick->candidates;
    const physics_impulse_cache *cache = all->tick->cache;
    uint32_t other_halves = all->tick->map.other_halves, near = all->tick->map.near;
    for (uint32_t p = of->pair_starts[car]; p < of->pair_starts[car + 1]; p++) {
        if (has_touched(cache, p) ||
            (all->tick->has_other_halves && has_touched(cache, other_halves + p))) {
            candidate at = pair_at(all->tick, p);
            add_touch(all, &at);
        }
    }
    for (uint32_t n = of->near_starts[car]; n < of->near_starts[car + 1]; n++) {
        if (has_touched(cache, near + n)) {
            candidate at = near_at(all->tick, of->involved[car], n);
            add_touch(all, &at);
        }
    }
}

void physics_touches_gather(physics_touches *touches, const physics_contact_tick *tick) {
    gathering all = {.touches = touches, .tick = tick};
    for (uint32_t car = 0; car < tick->candidates->count; car++) {
        gather_car(&all, car);
    }
    physics_persisted *swap = touches->persisted;
    touches->persisted = touches->persisted_next;
    touches->persisted_next = swap;
    touches->persisted_count = touches->event_count = all.count;
}

static uint32_t slot_of(uint64_t key) {
    return (uint32_t)(key >> 40);
}

static apex_contact_kind kind_of(uint64_t key) {
    return (apex_contact_kind)(key >> 32 & 0xff);
}

void physics_touches_forget(physics_touches *touches, uint32_t slot) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < touches->persisted_count; i++) {
        uint64_t key = touches->persisted[i].key;
        bool is_other = kind_of(key) == APEX_CONTACT_CAR && (uint32_t)key == slot;
        if (slot_of(key) != slot && !is_other) {
            touches->persisted[kept++] = touches->persisted[i];
        }
    }
    touches->persisted_count = kept;
}

size_t physics_touches_save_bytes(const physics_touches *touches) {
    return sizeof(uint64_t) + touches->capacity * sizeof *touches->persisted;
}

void physics_touches_save(const physics_touches *touches, uint8_t *out) {
    uint64_t count = touches->persisted_count;
    size_t used = touches->persisted_count * sizeof *touches->persisted;
    memcpy(out, &count, sizeof count);
    memcpy(out + sizeof count, touches->persisted, used);
    memset(out + sizeof count + used, 0, physics_touches_save_bytes(touches) - sizeof count - used);
}

// The heaviest car at the speed at which it is stopped, and more: what is larger would leave all
// numbers when contacts begin with it.
static const real IMPULSE_NS_MAX = R(1e8);

static bool is_persisted_valid(const physics_persisted *persisted, uint32_t car_capacity) {
    for (uint32_t p = 0; p < 4; p++) {
        if (!(persisted->normal_ns[p] >= R(0.0) && persisted->normal_ns[p] <= IMPULSE_NS_MAX) ||
            !(real_abs(persisted->tangent_ns[p]) <= IMPULSE_NS_MAX)) {
            return false;
        }
    }
    return slot_of(persisted->key) < car_capacity &&
           (persisted->key >> 32 & 0xff) < APEX_CONTACT_GROUND;
}

bool physics_touches_check(const physics_touches *touches, const uint8_t *bytes,
                           uint32_t car_capacity) {
    uint64_t count, before = 0;
    memcpy(&count, bytes, sizeof count);
    if (count > touches->capacity) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        physics_persisted persisted;
        memcpy(&persisted, bytes + sizeof count + i * sizeof persisted, sizeof persisted);
        if ((i > 0 && persisted.key <= before) || !is_persisted_valid(&persisted, car_capacity)) {
            return false;
        }
        before = persisted.key;
    }
    return true;
}

void physics_touches_restore(physics_touches *touches, const uint8_t *bytes) {
    uint64_t count;
    memcpy(&count, bytes, sizeof count);
    touches->persisted_count = (uint32_t)count;
    memcpy(touches->persisted, bytes + sizeof count,
           touches->persisted_count * sizeof *touches->persisted);
    touches->event_count = 0;
}
