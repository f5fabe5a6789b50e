#include "net/net.h"

#include "base/assert.h"

const char *apex_transport_counter_name(apex_transport_counter counter) {
    static const char *const names[] = {
        [APEX_TRANSPORT_PACKETS_IN] = "packets-in",
        [APEX_TRANSPORT_PACKETS_OUT] = "packets-out",
        [APEX_TRANSPORT_BYTES_IN] = "bytes-in",
        [APEX_TRANSPORT_BYTES_OUT] = "bytes-out",
        [APEX_TRANSPORT_LINKS_OPENED] = "links-opened",
        [APEX_TRANSPORT_LINKS_CLOSED] = "links-closed",
        [APEX_TRANSPORT_REFUSED_MALFORMED] = "refused-malformed",
        [APEX_TRANSPORT_REFUSED_OVERSIZE] = "refused-oversize",
        [APEX_TRANSPORT_REFUSED_COMPRESSED] = "refused-compressed",
        [APEX_TRANSPORT_REFUSED_FRAGMENT] = "refused-fragment",
        [APEX_TRANSPORT_REFUSED_COMMANDS] = "refused-commands",
        [APEX_TRANSPORT_REFUSED_COOKIE] = "refused-cookie",
        [APEX_TRANSPORT_REFUSED_ADDRESS] = "refused-address",
        [APEX_TRANSPORT_REFUSED_FULL] = "refused-no-link",
        [APEX_TRANSPORT_REFUSED_SEQUENCE] = "refused-sequence",
        [APEX_TRANSPORT_REFUSED_STRANGER] = "refused-stranger",
        [APEX_TRANSPORT_COOKIES_SENT] = "cookies-sent",
        [APEX_TRANSPORT_HALF_OPEN_RESET] = "half-open-reset",
        [APEX_TRANSPORT_SERVICE_ERRORS] = "service-errors",
        [APEX_TRANSPORT_SEND_ERRORS] = "send-errors",
        [APEX_TRANSPORT_FRAME_FULL] = "frame-full",
    };
    _Static_assert(sizeof names / sizeof names[0] == APEX_TRANSPORT_COUNTERS, "name each counter");
    APEX_ASSERT((unsigned)counter < APEX_TRANSPORT_COUNTERS);
    return names[counter];
}
