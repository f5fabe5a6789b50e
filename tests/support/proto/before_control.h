// What a decoder of protocol 3 from before race control makes of a server's message: it knows the
// kinds 1 to 17, fields that it does not know it passes over, and one value of an enumeration that
// it does not know makes it drop the whole message.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum before_verdict {
    BEFORE_TAKES,
    BEFORE_DROPS_EVENT,   // a RaceEvent of a kind that it does not know
    BEFORE_DROPS_KIND,    // a message that it does not know
    BEFORE_DROPS_MESSAGE, // one that it knows, for something in it
} before_verdict;

before_verdict before_control_reads(const uint8_t *bytes, size_t length);
