// Ten lines of a kind at once and one a second, so that a stranger who comes and goes a thousand
// times a second fills no disk and hides nothing that others say.
#ifndef __wasi__ // there log_alone.c stands in

#include "base/log_kinds.h"

#include <pthread.h>
#include <stddef.h>

enum {
    KINDS_MAX = 64, ///< far more than there are
    AT_ONCE = 10,
    REFILL_US = 1000 * 1000,
};

typedef struct log_kind {
    const char *kind;        ///< NULL: a free place
    uint64_t spent_until_us; ///< each line moves it on by a second; not more than ten ahead
    log_left_out left_out;
} log_kind;

static log_kind kinds[KINDS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// With all places taken the last one stands for all others.
static log_kind *find(const char *kind) {
    uint32_t i = 0;
    while (i < KINDS_MAX - 1 && kinds[i].kind != NULL && kinds[i].kind != kind) {
        i++;
    }
    kinds[i].kind = kind;
    return &kinds[i];
}

// A clock that was set back must not silence a kind for as long as that.
static bool may_speak(log_kind *kind, uint64_t now_us) {
    uint64_t most_us = now_us + (uint64_t)AT_ONCE * REFILL_US;
    uint64_t from_us = kind->spent_until_us > now_us ? kind->spent_until_us : now_us;
    from_us = from_us > most_us ? most_us : from_us;
    if (from_us + REFILL_US > most_us) {
        kind->spent_until_us = from_us;
        return false;
    }
    kind->spent_until_us = from_us + REFILL_US;
    return true;
}

// Once lines were left out the next word is about them, so that what is said stays in order.
bool log_kinds_take(const char *kind, uint64_t now_us, const log_left_out *newest) {
    pthread_mutex_lock(&lock);
    log_kind *found = find(kind);
    uint64_t count = found->left_out.count;
    bool may = count == 0 && may_speak(found, now_us);
    if (!may) {
        found->left_out = *newest;
        found->left_out.count = count + 1;
    }
    pthread_mutex_unlock(&lock);
    return may;
}

bool log_kinds_due(uint64_t now_us, log_left_out *out) {
    bool is_due = false;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < KINDS_MAX && kinds[i].kind != NULL && !is_due; i++) {
        is_due = kinds[i].left_out.count > 0 && may_speak(&kinds[i], now_us);
        if (is_due) {
            *out = kinds[i].left_out;
            kinds[i].left_out.count = 0;
        }
    }
    pthread_mutex_unlock(&lock);
    return is_due;
}

#else

typedef int apex_log_kinds_is_alone;

#endif
