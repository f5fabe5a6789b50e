// What the gateway's counters are called, and what they count.
#include "web/web.h"

#include "base/assert.h"

apex_counter_row apex_web_counter_row(apex_web_counter counter) {
    static const apex_counter_row rows[] = {
        [APEX_WEB_CONNECTIONS] = {"connections", APEX_COUNTS_TRAFFIC},
        [APEX_WEB_REQUESTS] = {"requests", APEX_COUNTS_TRAFFIC},
        [APEX_WEB_LINKS_OPENED] = {"links-opened", APEX_COUNTS_TRAFFIC},
        [APEX_WEB_LINKS_CLOSED] = {"links-closed", APEX_COUNTS_TRAFFIC},
        [APEX_WEB_MESSAGES_IN] = {"messages-in", APEX_COUNTS_TRAFFIC},
        [APEX_WEB_MESSAGES_OUT] = {"messages-out", APEX_COUNTS_TRAFFIC},
        [APEX_WEB_BYTES_IN] = {"bytes-in", APEX_COUNTS_TRAFFIC},
        [APEX_WEB_BYTES_OUT] = {"bytes-out", APEX_COUNTS_TRAFFIC},
        [APEX_WEB_HANDSHAKES] = {"tls-handshakes", APEX_COUNTS_TRAFFIC},
        [APEX_WEB_SNAPSHOTS_SKIPPED] = {"snapshots-skipped", APEX_COUNTS_TRAFFIC},
        [APEX_WEB_REFUSED_FULL] = {"refused-full", APEX_COUNTS_REFUSALS},
        [APEX_WEB_REFUSED_ADDRESS] = {"refused-address", APEX_COUNTS_REFUSALS},
        [APEX_WEB_REFUSED_RATE] = {"refused-rate", APEX_COUNTS_REFUSALS},
        [APEX_WEB_REFUSED_HANDSHAKE] = {"refused-handshake", APEX_COUNTS_REFUSALS},
        [APEX_WEB_REFUSED_PLAIN] = {"refused-plain", APEX_COUNTS_REFUSALS},
        [APEX_WEB_REFUSED_HOST] = {"refused-host", APEX_COUNTS_REFUSALS},
        [APEX_WEB_REFUSED_ORIGIN] = {"refused-origin", APEX_COUNTS_REFUSALS},
        [APEX_WEB_REFUSED_ROOM] = {"refused-room", APEX_COUNTS_REFUSALS},
        [APEX_WEB_REFUSED_REQUEST] = {"refused-request", APEX_COUNTS_REFUSALS},
        [APEX_WEB_REFUSED_MESSAGE] = {"refused-message", APEX_COUNTS_REFUSALS},
        [APEX_WEB_CLOSED_SLOW] = {"closed-slow", APEX_COUNTS_REFUSALS},
        [APEX_WEB_CLOSED_UNANSWERED] = {"closed-unanswered", APEX_COUNTS_REFUSALS},
    };
    _Static_assert(sizeof rows / sizeof rows[0] == APEX_WEB_COUNTERS, "name each counter");
    APEX_ASSERT((unsigned)counter < APEX_WEB_COUNTERS);
    return rows[counter];
}
