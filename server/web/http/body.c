// Bodies of answers that are on their way. An answer that many ask for within a tick is one body
// for all of them, however slowly some of them read.
#include "web/http/body.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum {
    SMALL_BYTES_MAX = 4096,       // always find room
    BYTES_MAX = 64 * 1024 * 1024, // of longer ones, in all
};

static web_body *find(const web_bodies *bodies, uint64_t edition) {
    for (uint32_t i = 0; edition != 0 && i < WEB_NEWEST_BODIES; i++) {
        if (bodies->newest[i] != NULL && bodies->newest[i]->edition == edition) {
            return bodies->newest[i];
        }
    }
    return NULL;
}

// Bodies that slow readers have not taken yet must not fill the memory.
bool web_body_fits(const web_bodies *bodies, uint64_t edition, size_t length) {
    return length <= SMALL_BYTES_MAX || bodies->bytes + length <= BYTES_MAX ||
           find(bodies, edition) != NULL;
}

web_body *web_body_take(web_bodies *bodies, uint64_t edition, const void *bytes, size_t length) {
    web_body *body = find(bodies, edition);
    if (body != NULL) {
        APEX_ASSERT(body->length == length);
        body->users++;
        return body;
    }
    body = malloc(sizeof *body + length);
    if (body == NULL) {
        return NULL;
    }
    *body = (web_body){.edition = edition, .users = 1, .length = length};
    memcpy(body->bytes, bytes, length);
    bodies->bytes += length;
    if (edition != 0) {
        bodies->newest[bodies->next] =
            body; // a body that is there already keeps its users, and gets no new ones
        bodies->next = (bodies->next + 1) % WEB_NEWEST_BODIES;
    }
    return body;
}

void web_body_drop(web_bodies *bodies, web_body *body) {
    if (body == NULL || --body->users > 0) {
        return;
    }
    for (uint32_t i = 0; i < WEB_NEWEST_BODIES; i++) {
        if (bodies->newest[i] == body) {
            bodies->newest[i] = NULL;
        }
    }
    APEX_ASSERT(bodies->bytes >= body->length);
    bodies->bytes -= body->length;
    free(body);
}
