// Addresses as text, those of IPv4 as people write them.
#include "web/door/address.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/assert.h"

void web_format_address(const web_address *address, char out[APEX_ADDRESS_BYTES]) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    bool is_ipv4 = memcmp(address->bytes, mapped, sizeof mapped) == 0;
    const char *text = is_ipv4 ? inet_ntop(AF_INET, address->bytes + 12, out, APEX_ADDRESS_BYTES)
                               : inet_ntop(AF_INET6, address->bytes, out, APEX_ADDRESS_BYTES);
    APEX_ASSERT(text != NULL);
}
