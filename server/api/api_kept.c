// Answers that say the same to everybody and change with ticks alone are written once for all who
// ask within a tick. The order of thousands takes milliseconds to write, so it is good for longer:
// however many ask, and however often, writing takes no more than a share of the processor
// (DECISIONS 35).

#include <stdlib.h>
#include <string.h>

#include "api/api_kept.h"
#include "host/figures/figures.h"

enum {
    COST_FACTOR = 50, ///< an answer is good for so many times as long as it took to write
    OLD_US_MAX = 1000000,
};

// A stamp of the state that an answer rests on: it rises with each tick, and with each order or try
// between them.
static uint64_t stamp_of(const apex_api *api) {
    const apex_guess_limit *guesses = &api->memory->guesses;
    uint64_t stamp = 1 + api->memory->orders + guesses->wrong + guesses->refused;
    for (uint32_t i = 0; i < api->server_count; i++) {
        stamp += host_rounds(api->servers[i]);
    }
    return stamp;
}

static bool is_good(const api_kept *kept, const apex_api *api, uint64_t stamp) {
    bool is_newest = kept->stamp == stamp;
    bool is_dear = api->now_us < kept->good_until_us && kept->orders == api->memory->orders;
    return kept->stamp != 0 && (is_newest || is_dear);
}

static void show(const api_call *call, const api_kept *kept) {
    *call->answer = (apex_web_answer){
        .status = kept->status,
        .type = kept->type,
        .bytes = kept->bytes,
        .length = kept->length,
        .edition = kept->edition,
    };
}

// Without memory it is an answer for this one request, and nothing is kept.
static void keep(const api_call *call, api_kept *kept) {
    const apex_web_answer *answer = call->answer;
    if (answer->length > kept->capacity) {
        free(kept->bytes);
        kept->capacity = answer->length + answer->length / 4;
        kept->bytes = malloc(kept->capacity);
    }
    if (kept->bytes == NULL) {
        *kept = (api_kept){.stamp = 0};
        return;
    }
    memcpy(kept->bytes, answer->bytes, answer->length);
    kept->length = answer->length;
    kept->status = answer->status;
    kept->type = answer->type;
    kept->edition = ++call->api->memory->editions;
    show(call, kept);
}

static uint64_t clock_us(const apex_api *api) {
    uint64_t (*any)(void) = host_clock_of(api->servers[0]);
    return any != NULL ? any() : 0;
}

void api_answer_kept(const api_call *call, api_kept_kind kind, void (*write)(const api_call *)) {
    const apex_api *api = call->api;
    api_kept *kept = &api->memory->kept[kind][call->race];
    uint64_t stamp = stamp_of(api);
    if (is_good(kept, api, stamp)) {
        show(call, kept);
        return;
    }
    uint64_t began_us = clock_us(api);
    write(call);
    kept->stamp = stamp;
    kept->orders = api->memory->orders;
    keep(call, kept);
    uint64_t good_us = COST_FACTOR * (clock_us(api) - began_us);
    kept->good_until_us = api->now_us + (good_us < OLD_US_MAX ? good_us : OLD_US_MAX);
}

void api_forget_kept(api_kept *kept, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(kept[i].bytes);
    }
}
