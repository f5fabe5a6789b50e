/// Persistent contacts: pairs with an impulse in a tick, with the impulses that warm start them in
/// the next, and the contact events of a tick.
#pragma once

#include "physics/contact/broad_phase.h"
#include "physics/solver/impulse_cache.h"

/// The places of a tick's candidates in the impulse cache: pairs as the broad phase lists them, the
/// other halves of those of which one lies on the other, walls and posts as the broad phase lists
/// them, and one more for lanes without a pair.
typedef struct physics_impulse_map {
    uint32_t other_halves, obstacles, padding;
} physics_impulse_map;

/// Order of contacts, everywhere: by car, kind, other.
static inline uint64_t physics_contact_key(uint32_t slot, apex_contact_kind kind, uint32_t other) {
    return (uint64_t)slot << 40 | (uint64_t)kind << 32 | other;
}

/// A contact that outlasts a tick: a pair that had an impulse in it, and its impulses in the last
/// substep.
typedef struct physics_persistent_contact {
    uint64_t key;
    real normal_ns[4], tangent_ns[4]; ///< [2] and [3] of the other half
} physics_persistent_contact;

typedef struct physics_contacts {
    physics_persistent_contact *persisted, *persisted_next; ///< rising in key
    uint32_t persisted_count, capacity;
    apex_contact_event *events;
    uint32_t event_count;
} physics_contacts;

/// @param capacity pairs that may have a contact in a tick; those beyond it are dropped.
/// @return false when memory is refused.
bool physics_contacts_allocate(physics_contacts *contacts, uint32_t capacity);
void physics_contacts_free(physics_contacts *contacts);

/// A tick, as far as contacts are concerned.
typedef struct physics_contact_tick {
    const apex_pool *pool; ///< of the cars
    const physics_impulse_cache *cache;
    const physics_candidates *candidates;
    uint32_t segment_count; ///< of walls: the items behind them are posts
    physics_impulse_map map;
    bool has_other_halves; ///< a car lies on another
} physics_contact_tick;

/// Warm start across ticks: candidates take over the impulses of persistent contacts.
/// @return whether any of them has another half.
bool physics_contacts_begin_tick(const physics_contacts *contacts,
                                 const physics_contact_tick *tick);
/// Pairs with an impulse become events and persistent contacts.
void physics_contacts_end_tick(physics_contacts *contacts, const physics_contact_tick *tick);
/// Removes a slot's contacts when it is given up: its next car has none yet.
void physics_contacts_forget(physics_contacts *contacts, uint32_t slot);

size_t physics_contacts_save_bytes(const physics_contacts *contacts);
void physics_contacts_save(const physics_contacts *contacts, uint8_t *out);
/// @return false if these can't be such bytes.
bool physics_contacts_check(const physics_contacts *contacts, const uint8_t *bytes,
                            uint32_t car_capacity);
void physics_contacts_restore(physics_contacts *contacts, const uint8_t *bytes);
