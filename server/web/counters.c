// The names of the gateway's counters.
#include "web/web.h"

#include "base/assert.h"

const char *apex_web_counter_name(apex_web_counter counter) {
    static const char *const names[] = {
        [APEX_WEB_CONNECTIONS] = "connections",
        [APEX_WEB_REQUESTS] = "requests",
        [APEX_WEB_LINKS_OPENED] = "links-opened",
        [APEX_WEB_LINKS_CLOSED] = "links-closed",
        [APEX_WEB_MESSAGES_IN] = "messages-in",
        [APEX_WEB_MESSAGES_OUT] = "messages-out",
        [APEX_WEB_BYTES_IN] = "bytes-in",
        [APEX_WEB_BYTES_OUT] = "bytes-out",
        [APEX_WEB_SNAPSHOTS_SKIPPED] = "snapshots-skipped",
        [APEX_WEB_REFUSED_FULL] = "refused-full",
        [APEX_WEB_REFUSED_ADDRESS] = "refused-address",
        [APEX_WEB_REFUSED_RATE] = "refused-rate",
        [APEX_WEB_REFUSED_HOST] = "refused-host",
        [APEX_WEB_REFUSED_ORIGIN] = "refused-origin",
        [APEX_WEB_REFUSED_ROOM] = "refused-room",
        [APEX_WEB_REFUSED_REQUEST] = "refused-request",
        [APEX_WEB_REFUSED_MESSAGE] = "refused-message",
        [APEX_WEB_CLOSED_SLOW] = "closed-slow",
        [APEX_WEB_CLOSED_UNANSWERED] = "closed-unanswered",
    };
    _Static_assert(sizeof names / sizeof names[0] == APEX_WEB_COUNTERS, "name each counter");
    APEX_ASSERT((unsigned)counter < APEX_WEB_COUNTERS);
    return names[counter];
}
