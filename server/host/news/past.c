// The past that a newcomer is told: those of the events told to all that a person reads. There is
// room for fifty, so events that come by the dozen in each lap (sectors, laps, light contacts,
// wheels off the road) and those of use at the moment only (lights) are not among them.
//
// The ring holds what was told to all, so "stored, then told" and the rules of crowds hold for it
// without being asked again. Newcomers get the roster, the results and the past before anything of
// the tick in which they are served, so nothing comes twice or out of order. A recording's begins
// anew after each jump, which makes another past (DECISIONS 41).

#include "host/news/past.h"

static bool is_worth_reading(const apex_race_event_message *event) {
    switch ((apex_race_event_kind)event->kind) {
    case APEX_EVENT_PHASE:
    case APEX_EVENT_JOINED:
    case APEX_EVENT_LEFT:
    case APEX_EVENT_BEST_LAP:
    case APEX_EVENT_FINISHED:
    case APEX_EVENT_DNF:
    case APEX_EVENT_RESET:
    case APEX_EVENT_ENGINE_BLEW:
    case APEX_EVENT_SESSION:
    case APEX_EVENT_CHEQUERED:
    case APEX_EVENT_PENALTY:
    case APEX_EVENT_CONTROL:
        return true;
    case APEX_EVENT_CONTACT:
        return event->value >= APEX_CONTACT_HARD_NS;
    default:
        return false;
    }
}

void host_past_note(host_past *past, const apex_race_event_message *event) {
    if (is_worth_reading(event)) {
        past->events[past->next++ % APEX_PAST_EVENTS_MAX] = *event;
    }
}

uint32_t host_past_list(const host_past *past, apex_race_event_message out[APEX_PAST_EVENTS_MAX]) {
    uint64_t most = APEX_PAST_EVENTS_MAX;
    uint64_t first = past->next > most ? past->next - most : 0;
    for (uint64_t i = first; i < past->next; i++) {
        out[i - first] = past->events[i % most];
    }
    return (uint32_t)(past->next - first);
}
