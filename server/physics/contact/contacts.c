// Persistent contacts: pairs with an impulse become events, and their impulses outlast the tick.
//
// A pair's impulses are found again by its place among the tick's candidates; between ticks by car,
// kind and other. The list of persistent contacts is all that is saved, and it is hashed (DECISIONS
// 25). If cars have more than ten contacts on average, those of the highest slots begin anew each
// tick and become no events.

#include "physics/contact/contacts.h"

#include "base/assert.h"
#include "physics/solver/manifold.h"

#include <stdlib.h>
#include <string.h>

bool physics_contacts_allocate(physics_contacts *contacts, uint32_t capacity) {
    APEX_ASSERT(capacity >= 1);
    contacts->capacity = capacity;
    contacts->persisted = calloc(capacity, sizeof *contacts->persisted);
    contacts->persisted_next = calloc(capacity, sizeof *contacts->persisted_next);
    contacts->events = calloc(capacity, sizeof *contacts->events);
    return contacts->persisted != NULL && contacts->persisted_next != NULL &&
           contacts->events != NULL;
}

void physics_contacts_free(physics_contacts *contacts) {
    free(contacts->persisted);
    free(contacts->persisted_next);
    free(contacts->events);
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

static inline candidate obstacle_at(const physics_contact_tick *tick, uint32_t slot,
                                    uint32_t index) {
    uint32_t item = tick->candidates->obstacles[index], walls = tick->segment_count;
    bool is_wall = item < walls;
    candidate at = {.slot = slot,
                    .other = is_wall ? item : item - walls,
                    .kind = is_wall ? APEX_CONTACT_WALL : APEX_CONTACT_POST,
                    .impulses = tick->map.obstacles + index,
                    .other_half = tick->map.obstacles + index};
    at.key = physics_contact_key(at.slot, at.kind, at.other);
    return at;
}

// Moves on in the rising list to the key, or to the place where it would be. @return whether it is
// there.
static bool find_persisted(const physics_contacts *contacts, uint64_t key, uint32_t *at) {
    while (*at < contacts->persisted_count && contacts->persisted[*at].key < key) {
        ++*at;
    }
    return *at < contacts->persisted_count && contacts->persisted[*at].key == key;
}

static void load_half(const physics_persistent_contact *persisted, uint32_t half, real substep,
                      physics_impulses *impulses) {
    const real *normal_ns = &persisted->normal_ns[2 * half],
               *tangent_ns = &persisted->tangent_ns[2 * half];
    *impulses = (physics_impulses){.normal_ns = {normal_ns[0], normal_ns[1]},
                                   .tangent_ns = {tangent_ns[0], tangent_ns[1]},
                                   .substep = substep};
}

// @return whether it has another half.
static bool load_impulses(const physics_persistent_contact *persisted,
                          const physics_impulse_cache *cache, const candidate *at) {
    bool has_half =
        at->kind == APEX_CONTACT_CAR && persisted->normal_ns[2] + persisted->normal_ns[3] > R(0.0);
    load_half(persisted, 0, cache->substep, &cache->items[at->impulses]);
    if (has_half) {
        load_half(persisted, 1, cache->substep, &cache->items[at->other_half]);
    }
    return has_half;
}

bool physics_contacts_begin_tick(const physics_contacts *contacts,
                                 const physics_contact_tick *tick) {
    APEX_ASSERT(contacts->persisted_count <= contacts->capacity);
    const physics_candidates *of = tick->candidates;
    uint32_t next = 0;
    bool has_half = false;
    for (uint32_t car = 0; car < of->count && next < contacts->persisted_count; car++) {
        for (uint32_t p = of->pair_starts[car]; p < of->pair_starts[car + 1]; p++) {
            candidate at = pair_at(tick, p);
            if (find_persisted(contacts, at.key, &next)) {
                has_half |= load_impulses(&contacts->persisted[next], tick->cache, &at);
            }
        }
        for (uint32_t n = of->obstacle_starts[car]; n < of->obstacle_starts[car + 1]; n++) {
            candidate at = obstacle_at(tick, of->involved[car], n);
            if (find_persisted(contacts, at.key, &next)) {
                has_half |= load_impulses(&contacts->persisted[next], tick->cache, &at);
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
    bool is_other_harder = has_half && half[1]->peak_ns > half[0]->peak_ns;
    const physics_impulse_peak *peak =
        &tick->cache->peaks[is_other_harder ? at->other_half : at->impulses];
    bool is_car = at->kind == APEX_CONTACT_CAR;
    apex_contact_event event = {
        .car = id_at(tick->pool, at->slot),
        .other = is_car ? id_at(tick->pool, at->other) : (apex_car_id){0},
        .other_index = is_car ? 0 : at->other,
        .kind = at->kind,
        .impulse_ns = (double)(half[0]->sum_ns + (has_half ? half[1]->sum_ns : R(0.0))),
        .closing_mps =
            (double)real_max(half[0]->closing_mps, has_half ? half[1]->closing_mps : R(0.0)),
        .zone = peak->zone,
        .other_zone = is_car ? peak->other_zone : APEX_ZONE_FRONT,
    };
    for (uint32_t i = 0; i < 3; i++) {
        event.point_m[i] = (double)peak->point_m[i];
        event.normal[i] = (double)peak->normal[i];
    }
    return event;
}

// Only impulses of the tick's last substep persist.
static void persist_half(const physics_impulse_cache *cache, uint32_t impulses,
                         real out_normal_ns[2], real out_tangent_ns[2]) {
    const physics_impulses *from = &cache->items[impulses];
    bool is_fresh = from->substep == cache->substep;
    for (uint32_t p = 0; p < 2; p++) {
        out_normal_ns[p] = is_fresh ? from->normal_ns[p] : R(0.0);
        out_tangent_ns[p] = is_fresh ? from->tangent_ns[p] : R(0.0);
    }
}

static void persist(const physics_contact_tick *tick, const candidate *at,
                    physics_persistent_contact *out) {
    const physics_impulse_cache *cache = tick->cache;
    *out = (physics_persistent_contact){.key = at->key};
    persist_half(cache, at->impulses, &out->normal_ns[0], &out->tangent_ns[0]);
    if (at->kind == APEX_CONTACT_CAR && tick->has_other_halves) {
        persist_half(cache, at->other_half, &out->normal_ns[2], &out->tangent_ns[2]);
    }
}

static bool has_impulse(const physics_impulse_cache *cache, uint32_t impulses) {
    return cache->items[impulses].sum_ns > R(0.0);
}

/// Writes a tick's events and persistent contacts.
typedef struct contact_writer {
    physics_contacts *contacts;
    const physics_contact_tick *tick;
    uint32_t before; ///< place among the contacts that persisted
    uint32_t count;
} contact_writer;

static void add_contact(contact_writer *all, const candidate *at) {
    physics_contacts *contacts = all->contacts;
    if (all->count == contacts->capacity) {
        return;
    }
    contacts->events[all->count] = event_of(all->tick, at);
    contacts->events[all->count].began = !find_persisted(contacts, at->key, &all->before);
    persist(all->tick, at, &contacts->persisted_next[all->count++]);
}

static void write_car(contact_writer *all, uint32_t car) {
    const physics_candidates *of = all->tick->candidates;
    const physics_impulse_cache *cache = all->tick->cache;
    uint32_t other_halves = all->tick->map.other_halves, obstacles = all->tick->map.obstacles;
    for (uint32_t p = of->pair_starts[car]; p < of->pair_starts[car + 1]; p++) {
        if (has_impulse(cache, p) ||
            (all->tick->has_other_halves && has_impulse(cache, other_halves + p))) {
            candidate at = pair_at(all->tick, p);
            add_contact(all, &at);
        }
    }
    for (uint32_t n = of->obstacle_starts[car]; n < of->obstacle_starts[car + 1]; n++) {
        if (has_impulse(cache, obstacles + n)) {
            candidate at = obstacle_at(all->tick, of->involved[car], n);
            add_contact(all, &at);
        }
    }
}

void physics_contacts_end_tick(physics_contacts *contacts, const physics_contact_tick *tick) {
    APEX_ASSERT(tick->candidates->pair_starts[tick->candidates->count] <= tick->map.other_halves);
    contact_writer all = {.contacts = contacts, .tick = tick};
    for (uint32_t car = 0; car < tick->candidates->count; car++) {
        write_car(&all, car);
    }
    physics_persistent_contact *swap = contacts->persisted;
    contacts->persisted = contacts->persisted_next;
    contacts->persisted_next = swap;
    contacts->persisted_count = contacts->event_count = all.count;
}

static uint32_t slot_of(uint64_t key) {
    return (uint32_t)(key >> 40);
}

static apex_contact_kind kind_of(uint64_t key) {
    return (apex_contact_kind)(key >> 32 & 0xff);
}

void physics_contacts_forget(physics_contacts *contacts, uint32_t slot) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < contacts->persisted_count; i++) {
        uint64_t key = contacts->persisted[i].key;
        bool is_other = kind_of(key) == APEX_CONTACT_CAR && (uint32_t)key == slot;
        if (slot_of(key) != slot && !is_other) {
            contacts->persisted[kept++] = contacts->persisted[i];
        }
    }
    contacts->persisted_count = kept;
}

size_t physics_contacts_save_bytes(const physics_contacts *contacts) {
    return sizeof(uint64_t) + contacts->capacity * sizeof *contacts->persisted;
}

void physics_contacts_save(const physics_contacts *contacts, uint8_t *out) {
    APEX_ASSERT(contacts->persisted_count <= contacts->capacity);
    uint64_t count = contacts->persisted_count;
    size_t used = contacts->persisted_count * sizeof *contacts->persisted;
    memcpy(out, &count, sizeof count);
    memcpy(out + sizeof count, contacts->persisted, used);
    memset(out + sizeof count + used, 0,
           physics_contacts_save_bytes(contacts) - sizeof count - used);
}

// The momentum of the heaviest car at the speed at which it is stopped, and more: a warm start with
// larger impulses would overflow.
static const real IMPULSE_NS_MAX = R(1e8);

static bool is_persisted_valid(const physics_persistent_contact *persisted, uint32_t car_capacity) {
    for (uint32_t p = 0; p < 4; p++) {
        if (!(persisted->normal_ns[p] >= R(0.0) && persisted->normal_ns[p] <= IMPULSE_NS_MAX) ||
            !(real_abs(persisted->tangent_ns[p]) <= IMPULSE_NS_MAX)) {
            return false;
        }
    }
    return slot_of(persisted->key) < car_capacity &&
           (persisted->key >> 32 & 0xff) < APEX_CONTACT_GROUND;
}

bool physics_contacts_check(const physics_contacts *contacts, const uint8_t *bytes,
                            uint32_t car_capacity) {
    uint64_t count, before = 0;
    memcpy(&count, bytes, sizeof count);
    if (count > contacts->capacity) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        physics_persistent_contact persisted;
        memcpy(&persisted, bytes + sizeof count + i * sizeof persisted, sizeof persisted);
        if ((i > 0 && persisted.key <= before) || !is_persisted_valid(&persisted, car_capacity)) {
            return false;
        }
        before = persisted.key;
    }
    return true;
}

void physics_contacts_restore(physics_contacts *contacts, const uint8_t *bytes) {
    uint64_t count;
    memcpy(&count, bytes, sizeof count);
    contacts->persisted_count = (uint32_t)count;
    memcpy(contacts->persisted, bytes + sizeof count,
           contacts->persisted_count * sizeof *contacts->persisted);
    contacts->event_count = 0;
}
