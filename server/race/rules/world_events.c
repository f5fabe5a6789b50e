// The judges of the world's events of a tick: those of single cars, and contacts.
#include "race/rules/world_events.h"

static const double CONTACT_NS_MIN = 100.0; // a touch at walking speed; less is noise

// Who wishes to be put back before he waited long enough has wished in vain: to be put back later,
// when he is on his way again, is not what he asked for (DECISIONS 51).
static bool may_reset(const race_facts *facts, race_watch *watch) {
    if (watch->reset_wait_ticks > 0) {
        return false;
    }
    watch->reset_wait_ticks = (uint32_t)race_facts_ticks(facts, facts->reset_wait_s);
    return true;
}

void race_judge_waited(race_watch *watch) {
    watch->reset_wait_ticks -= watch->reset_wait_ticks > 0;
}

void race_judge_car_event(const race_facts *facts, const apex_car_event *event, race_watch *watch,
                          race_verdicts *out) {
    race_facts_assert(facts);
    APEX_ASSERT(event->car.index1 == facts->player->car_id.index1);
    switch (event->kind) {
    case APEX_CAR_ENGINE_BLEW:
        watch->crippled = true;
        race_verdict_warn(out, facts->slot, APEX_EVENT_ENGINE_BLEW, (int64_t)event->value);
        break;
    case APEX_CAR_OUT_OF_FUEL:
        watch->crippled = true;
        break;
    case APEX_CAR_RESET_WANTED:
    case APEX_CAR_STOPPED_BAD:
        if ((facts->player->state == APEX_STANDING_RUNNING || facts->in_lobby) &&
            (event->kind == APEX_CAR_STOPPED_BAD || may_reset(facts, watch))) {
            race_verdict_add(out, facts->slot, RACE_VERDICT_RESET);
        }
        break;
    default:
        break;
    }
}

bool race_contact_counts(const apex_contact_event *contact) {
    return contact->began && contact->impulse_ns >= CONTACT_NS_MIN &&
           contact->kind != APEX_CONTACT_GROUND;
}

void race_judge_contact(const race_touch *touch, race_verdicts *out) {
    const apex_contact_event *contact = touch->contact;
    APEX_ASSERT(touch->slot != RACE_SLOT_NONE && touch->slot != touch->other);
    if (!race_contact_counts(contact)) {
        return;
    }
    race_verdict_append(out, &(race_verdict){.kind = RACE_VERDICT_CONTACT,
                                             .slot = touch->slot,
                                             .other = touch->other,
                                             .value = (int64_t)contact->impulse_ns});
}
