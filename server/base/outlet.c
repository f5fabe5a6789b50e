// A ring of bytes between those who put and a thread that writes (DECISIONS 49). Making the file
// itself non-blocking would be no way: the terminal or pipe behind it is shared with other
// programs, which would find theirs non-blocking, too.
#ifndef __wasi__ // there log_alone.c stands in

#define _GNU_SOURCE // pthread_tryjoin_np
#include "base/outlet.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"

enum {
    MOMENT_MS = 2,
    PIECE_BYTES = 4096, ///< of one write: a pipe takes as much at once or nothing
    JOIN_MS = 200,      ///< that a thread in a write has to notice that it is cancelled
};

struct apex_outlet {
    int file;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled;
    size_t capacity, start, length; ///< of what waits: `length` bytes from `start` on, in a circle
    bool ends;
    char ring[];
};

// Only here may the thread be stopped, and it holds no lock here.
static ssize_t write_some(const apex_outlet *outlet, const char *bytes, size_t length) {
    int before = 0;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    ssize_t written = write(outlet->file, bytes, length);
    pthread_setcancelstate(before, NULL);
    return written;
}

// A file that was opened without waiting has no room: that is no end of it.
static void rest_a_moment(void) {
    const struct timespec moment = {.tv_nsec = MOMENT_MS * 1000 * 1000};
    nanosleep(&moment, NULL);
}

// @return bytes that are done with. The bytes of `piece` stay where they are: others put behind
// them.
static size_t write_piece(apex_outlet *outlet, const char *piece, size_t length) {
    ssize_t written = write_some(outlet, piece, length);
    if (written >= 0) {
        return (size_t)written;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        rest_a_moment();
        return 0;
    }
    return errno == EINTR ? 0 : length; // nobody can be told that the log itself fails
}

static void *write_all(void *argument) {
    apex_outlet *outlet = argument;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_mutex_lock(&outlet->lock);
    for (;;) {
        while (outlet->length == 0 && !outlet->ends) {
            pthread_cond_wait(&outlet->filled, &outlet->lock);
        }
        if (outlet->length == 0) {
            break;
        }
        size_t to_end = outlet->capacity - outlet->start;
        size_t length = outlet->length < to_end ? outlet->length : to_end;
        length = length < PIECE_BYTES ? length : PIECE_BYTES;
        const char *piece = outlet->ring + outlet->start;
        pthread_mutex_unlock(&outlet->lock);
        size_t done = write_piece(outlet, piece, length);
        pthread_mutex_lock(&outlet->lock);
        outlet->start = (outlet->start + done) % outlet->capacity;
        outlet->length -= done;
    }
    pthread_mutex_unlock(&outlet->lock);
    return NULL;
}

apex_err apex_outlet_create(int file, size_t capacity, apex_outlet **out) {
    APEX_ASSERT(out != NULL && capacity > 0);
    apex_outlet *outlet = malloc(sizeof *outlet + capacity);
    if (outlet == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    *outlet = (apex_outlet){.file = file, .capacity = capacity};
    // Touched now, so that a server's memory does not grow when the ring is used.
    memset(outlet->ring, 0, capacity);
    pthread_mutex_init(&outlet->lock, NULL);
    pthread_cond_init(&outlet->filled, NULL);
    if (pthread_create(&outlet->thread, NULL, write_all, outlet) != 0) {
        pthread_mutex_destroy(&outlet->lock);
        pthread_cond_destroy(&outlet->filled);
        free(outlet);
        return APEX_ERR_NO_MEMORY;
    }
    *out = outlet;
    return APEX_OK;
}

static void copy_in(apex_outlet *outlet, const char *bytes, size_t length) {
    size_t at = (outlet->start + outlet->length) % outlet->capacity;
    size_t to_end = outlet->capacity - at;
    size_t first = length < to_end ? length : to_end;
    memcpy(outlet->ring + at, bytes, first);
    memcpy(outlet->ring, bytes + first, length - first);
    outlet->length += length;
}

bool apex_outlet_put(apex_outlet *outlet, const void *bytes, size_t length) {
    APEX_ASSERT(outlet != NULL && (bytes != NULL || length == 0));
    pthread_mutex_lock(&outlet->lock);
    bool fits = length <= outlet->capacity - outlet->length;
    if (fits && length > 0) {
        copy_in(outlet, bytes, length);
        pthread_cond_signal(&outlet->filled);
    }
    pthread_mutex_unlock(&outlet->lock);
    return fits;
}

size_t apex_outlet_room(apex_outlet *outlet) {
    APEX_ASSERT(outlet != NULL);
    pthread_mutex_lock(&outlet->lock);
    size_t room = outlet->capacity - outlet->length;
    pthread_mutex_unlock(&outlet->lock);
    return room;
}

bool apex_outlet_destroy(apex_outlet *outlet, unsigned wait_ms) {
    if (outlet == NULL) {
        return true;
    }
    for (unsigned ms = 0; ms < wait_ms && apex_outlet_room(outlet) < outlet->capacity;
         ms += MOMENT_MS) {
        rest_a_moment();
    }
    pthread_mutex_lock(&outlet->lock);
    bool is_empty = outlet->length == 0;
    outlet->ends = true;
    pthread_cond_signal(&outlet->filled);
    pthread_mutex_unlock(&outlet->lock);
    if (!is_empty) {
        pthread_cancel(outlet->thread);
    }
    bool is_over = false;
    for (unsigned ms = 0; ms < JOIN_MS && !is_over; ms += MOMENT_MS) {
        is_over = pthread_tryjoin_np(outlet->thread, NULL) == 0;
        if (!is_over) {
            rest_a_moment();
        }
    }
    if (!is_over) {
        return false; // in a call that nothing ends: its memory stays, and goes with the process
    }
    pthread_mutex_destroy(&outlet->lock);
    pthread_cond_destroy(&outlet->filled);
    free(outlet);
    return is_empty;
}

#else

typedef int apex_outlet_is_alone;

#endif
