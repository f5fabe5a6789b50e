/// Refusals, and whatever went wrong besides: one list for all who report them.
#pragma once

#include "host/clients/clients.h"
#include "host/network.h"

typedef struct host_refusal {
    const char *layer; ///< "transport", "session", "race", "views", "controls"
    const char *name;  ///< "refused-password", "closed-silent"
    uint64_t count;
    bool is_refusal; ///< nothing that only went astray, as controls that came too late
} host_refusal;

enum { HOST_REFUSALS_MAX = 96 };

/// All of them, in a fixed order, also those that never happened. @return how many.
size_t host_list_refusals(const host_clients *clients, const host_network *network,
                          host_refusal out[HOST_REFUSALS_MAX]);
