/// The pairs that touched: their impulses, which persist from tick to tick, and the events of a
/// tick.
#pragma once

#include "physics/contact/broad_phase.h"
#include "physics/solver/impulse_cache.h"

/// Where a tick's candidates have their impulses: pairs as broad lists them, the other halves of
/// those of which one lies on the other, walls and posts as broad lists them, and one more for
/// lanes without a pair.
typedef struct physics_impulse_map {
    uint32_t other_halves, near, nobody;
} physics_impulse_map;

/// Order of contacts, everywhere: by car, kind, other.
static inline uint64_t physics_contact_key(uint32_t slot, apex_contact_kind kind, uint32_t other) {
    return (uint64_t)slot << 40 | (uint64_t)kind << 32 | other;
}

/// What outlasts a tick: a pair that touched in it, and its impulses in the last substep.
typedef struct physics_persisted {
    uint64_t key;
    real normal_ns[4], tangent_ns[4]; ///< [2] and [3] of the other half
} physics_persisted;

typedef struct physics_touches {
    physics_persisted *persisted, *persisted_next; ///< rising in key
    uint32_t persisted_count, capacity;
    apex_contact_event *events;
    uint32_t event_count;
} physics_touches;

/// @param capacity pairs that may touch in a tick; what is beyond that is forgotten.
/// @return false when memory is refused.
bool physics_touches_allocate(physics_touches *touches, uint32_t capacity);
void physics_touches_free(physics_touches *touches);

/// A tick, as far as touches are concerned.
typedef struct physics_contact_tick {
    const apex_pool *pool; ///< of the cars
    const physics_impulse_cache *cache;
    const physics_candidates *candidates;
    uint32_t segment_count; ///< of walls: what lies behind them are posts
    physics_impulse_map map;
    bool has_other_halves; ///< somebody lay on somebody
} physics_contact_tick;

/// A tick begins: candidates start with the impulses that persisted.
/// @return whether any of them has another half.
bool physics_touches_carry(const physics_touches *touches, const physics_contact_tick *tick);
/// It ends: what touched becomes events, and persists.
void physics_touches_gather(physics_touches *touches, const physics_contact_tick *tick);
/// A slot was given up: its next car has touched nobody yet.
void physics_touches_forget(physics_touches *touches, uint32_t slot);

size_t physics_touches_save_bytes(const physics_touches *touches);
void physics_touches_save(const physics_touches *touches, uint8_t *out);
/// @return false if these can't be such bytes.
bool physics_touches_check(const physics_touches *touches, const uint8_t *bytes,
                           uint32_t car_capacity);
void physics_touches_restore(physics_touches *touches, const uint8_t *bytes);
