// The judge of incident points. A chain lasts 3 s from its first incident, and no longer for those
// that follow: who runs into one car after the other pays for more than the first.
#include "race/rules/incident_points.h"

static const double CHAIN_S = 3.0;
static const double MOVES_MPS = 5.0; // slower than this a car is turned round and not spun
static const double LOST_RAD = 1.5707963267948966;
static const double REGAINED_RAD = 0.7853981633974483; // who wavers about 90 degrees spins once
enum { TICK_HZ_MAX = 240, POINTS_MAX = 1000000 };

static void tell(const race_facts *facts, uint32_t points, uint32_t other, race_verdicts *out) {
    race_verdict_append(out, &(race_verdict){.kind = RACE_VERDICT_INCIDENT,
                                             .slot = facts->slot,
                                             .other = other,
                                             .value = points});
}

static void note(const race_facts *facts, uint32_t points, uint32_t other,
                 race_incident_watch *watch, race_verdicts *out) {
    if (points > 0 && watch->chain_ticks == 0) {
        watch->worst = 0;
        watch->chain_ticks = (uint32_t)race_facts_ticks(facts, CHAIN_S);
    }
    if (points <= watch->worst || points > POINTS_MAX - watch->points) {
        return;
    }
    uint32_t before = watch->points;
    uint32_t most = facts->rules->incidents.points_max;
    watch->points += points - watch->worst;
    tell(facts, points - watch->worst, other, out);
    watch->worst = points;
    if (most > 0 && before <= most && watch->points > most) {
        race_verdict_offend(out, facts->slot, APEX_OFFENCE_INCIDENTS, watch->points);
    }
}

static uint32_t judge_off(const race_facts *facts, race_incident_watch *watch) {
    bool is_back = facts->pose->wheels_on_road > 0 || facts->lane.inside;
    bool begins = !watch->off && !is_back && !facts->pose->airborne;
    watch->off = !is_back && (watch->off || begins);
    return begins && race_facts_is_racing(facts) ? facts->rules->incidents.off : 0;
}

static uint32_t judge_lost(const race_facts *facts, race_incident_watch *watch) {
    bool begins = !watch->lost && !facts->lane.inside && facts->heading_off_rad > LOST_RAD &&
                  race_facts_speed_mps(facts) >= MOVES_MPS;
    watch->lost = begins || (watch->lost && facts->heading_off_rad > REGAINED_RAD);
    return begins ? facts->rules->incidents.lost : 0;
}

void race_judge_incident(const race_facts *facts, race_incident_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    APEX_ASSERT(facts->rules != NULL);
    if (!facts->rules->incidents.on) {
        return;
    }
    watch->chain_ticks -= watch->chain_ticks > 0;
    watch->light_ticks -= watch->light_ticks > 0;
    uint32_t off = judge_off(facts, watch);
    uint32_t lost = judge_lost(facts, watch);
    note(facts, off > lost ? off : lost, RACE_SLOT_NONE, watch, out);
}

static void note_cars(const race_facts *facts, const race_touch *touch, race_incident_watch *watch,
                      race_verdicts *out) {
    if (!facts->is_race) {
        race_verdict_void(out, facts->slot, RACE_VERDICT_VOID, APEX_VOID_CONTACT);
    }
    if (touch->contact->closing_mps >= facts->rules->incidents.heavy_mps) {
        note(facts, facts->rules->incidents.heavy, touch->other, watch, out);
    } else if (watch->light_ticks == 0) {
        watch->light_ticks = (uint32_t)race_facts_ticks(facts, CHAIN_S);
        tell(facts, 0, touch->other, out);
    }
}

void race_judge_incident_touch(const race_facts *facts, const race_touch *touch,
                               race_incident_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    APEX_ASSERT(facts->rules != NULL && touch->slot == facts->slot && touch->other != touch->slot);
    if (!facts->rules->incidents.on || !race_contact_counts(touch->contact)) {
        return;
    }
    if (touch->contact->kind == APEX_CONTACT_CAR) {
        note_cars(facts, touch, watch, out);
    } else {
        note(facts, facts->rules->incidents.wall, RACE_SLOT_NONE, watch, out);
    }
}

void race_incident_walk(race_walk *io, race_incident_watch *watch) {
    const uint32_t ticks_max = (uint32_t)(CHAIN_S * TICK_HZ_MAX);
    race_walk_bool(io, &watch->off);
    race_walk_bool(io, &watch->lost);
    race_walk_u32(io, &watch->points);
    race_walk_u32(io, &watch->worst);
    race_walk_u32(io, &watch->chain_ticks);
    race_walk_u32(io, &watch->light_ticks);
    io->ok = io->ok && watch->points <= POINTS_MAX && watch->worst <= watch->points &&
             watch->chain_ticks <= ticks_max && watch->light_ticks <= ticks_max;
}
