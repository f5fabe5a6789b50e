// Bodies of answers, each for all whom it is on its way to.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WEB_NEWEST_BODIES = 8 };

typedef struct web_body {
    uint64_t edition; // 0: nobody else's
    uint32_t users;
    size_t length;
    uint8_t bytes[];
} web_body;

typedef struct web_bodies {
    size_t bytes;                        // of all
    web_body *newest[WEB_NEWEST_BODIES]; // that have an edition, and users
    uint32_t next;                       // of these places
} web_bodies;

// @return NULL: no memory, or too much of it waits for slow readers.
web_body *web_body_take(web_bodies *bodies, uint64_t edition, const void *bytes, size_t length);
void web_body_drop(web_bodies *bodies, web_body *body); // NULL is fine
// @return whether one more of that length may be made.
bool web_body_fits(const web_bodies *bodies, uint64_t edition, size_t length);
