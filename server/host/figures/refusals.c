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

// All but traffic, which is reported by itself.
static void add_row(refusal_list *list, const char *layer, apex_counter_row row, uint64_t count) {
    if (row.kind != APEX_COUNTS_TRAFFIC) {
        add(list, (host_refusal){layer, row.name, count, row.kind == APEX_COUNTS_REFUSALS});
    }
}

static void add_transport(refusal_list *list, const uint64_t *counters) {
    for (int i = 0; i < APEX_TRANSPORT_COUNTERS; i++) {
        add_row(list, "transport", apex_transport_counter_row((apex_transport_counter)i),
                counters != NULL ? counters[i] : 0);
    }
}

static void add_sessions(refusal_list *list, const uint64_t *counters) {
    for (int i = 0; i < APEX_SESSION_COUNTERS; i++) {
        add_row(list, "session", apex_session_counter_row((apex_session_counter)i), counters[i]);
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
    add(&list, (host_refusal){"race", "refused-taken-name", clients->refused_name, true});
    add(&list, (host_refusal){"race", "refused-name-held", clients->refused_name_held, true});
    add(&list, (host_refusal){"race", "refused-entry", clients->refused_entry, true});
    add(&list, (host_refusal){"views", "paused-silent", clients->paused_silent, true});
    const apex_controls_counters *controls = &clients->controls_counters;
    add(&list, (host_refusal){"controls", "controls-late", controls->late, false});
    add(&list, (host_refusal){"controls", "controls-early", controls->early, false});
    return list.count;
}
