// The list of what was refused or went wrong, layer by layer.

#include "host/figures/refusals.h"

#include "base/assert.h"

typedef struct refusal_list {
    host_refusal *rows;
    size_t count;
} refusal_list;

static void add(refusal_list *list, host_refusal refusal) {
    APEX_ASSERT(list->count < HOST_REFUSALS_MAX);
    list->rows[list->count++] = refusal;
}

bool host_is_refusal(apex_transport_counter counter) {
    return counter >= APEX_TRANSPORT_REFUSED_MALFORMED &&
           counter <= APEX_TRANSPORT_REFUSED_STRANGER;
}

static void add_transport(refusal_list *list, const uint64_t *counters) {
    for (int i = APEX_TRANSPORT_REFUSED_MALFORMED; i < APEX_TRANSPORT_COUNTERS; i++) {
        apex_transport_counter counter = (apex_transport_counter)i;
        add(list, (host_refusal){"transport", apex_transport_counter_name(counter),
                                 counters != NULL ? counters[i] : 0, host_is_refusal(counter)});
    }
}

static void add_sessions(refusal_list *list, const uint64_t *counters) {
    for (int i = APEX_SESSION_REFUSED_VERSION; i < APEX_SESSION_COUNTERS; i++) {
        add(list, (host_refusal){"session", apex_session_counter_name((apex_session_counter)i),
                                 counters[i], i <= APEX_SESSION_CLOSED_SILENT});
    }
}

size_t host_list_refusals(const host_clients *clients, const host_network *network,
                          host_refusal out[HOST_REFUSALS_MAX]) {
    refusal_list list = {out, 0};
    add_transport(&list, host_transport_counters(network));
    add_sessions(&list, apex_sessions_counters(network->sessions));
    add(&list, (host_refusal){"race", "refused-unknown-car", clients->refused_unknown_car, true});
    add(&list, (host_refusal){"race", "refused-race", clients->refused_race, true});
    add(&list, (host_refusal){"race", "refused-busy", clients->refused_busy, true});
    const apex_controls_counters *controls = &clients->controls_counters;
    add(&list, (host_refusal){"controls", "controls-late", controls->late, false});
    add(&list, (host_refusal){"controls", "controls-early", controls->early, false});
    return list.count;
}
