// Bytes on their way to a file by a thread of its own: a pipe that nobody reads, and one that is.
#include "base/outlet.h"
#include "support/base/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CAPACITY = 8192, PIPE_BYTES = 4096 };

static int ends[2];
static apex_outlet *outlet;

static void setup(void) {
    signal(SIGPIPE, SIG_IGN);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_ge(fcntl(ends[1], 1031 /* F_SETPIPE_SZ */, PIPE_BYTES), 0);
    ck_assert_int_eq(apex_outlet_create(ends[1], CAPACITY, &outlet), APEX_OK);
}

static void teardown(void) {
    (void)apex_outlet_destroy(outlet, 0);
    close(ends[0]);
    close(ends[1]);
}

FIXTURE(setup, teardown)

// Lines "00000\n", "00001\n", ... until one finds no room for good. @return how many went in
static unsigned fill(void) {
    const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
    unsigned count = 0;
    for (unsigned refused = 0; refused < 5;) {
        char line[16];
        snprintf(line, sizeof line, "%05u\n", count);
        if (apex_outlet_put(outlet, line, 6)) {
            count++;
            refused = 0;
        } else {
            refused++;
            nanosleep(&moment, NULL); // the thread may still have room in the pipe
        }
    }
    return count;
}

// What was put comes out in order and whole, once round the ring and more.
static void assert_lines(unsigned count) {
    char text[6];
    for (unsigned i = 0; i < count; i++) {
        for (size_t got = 0; got < sizeof text;) {
            ssize_t length = read(ends[0], text + got, sizeof text - got);
            ck_assert_int_gt(length, 0);
            got += (size_t)length;
        }
        char expected[16];
        snprintf(expected, sizeof expected, "%05u\n", i);
        ck_assert_mem_eq(text, expected, 6);
    }
}

TEST(a_pipe_that_nobody_reads_holds_up_nobody) {
    unsigned count = fill();
    // The ring's, and what the pipe took: a piece that does not fit waits as a whole.
    ck_assert_uint_ge(count, CAPACITY / 6);
    ck_assert_uint_le(count, (CAPACITY + PIPE_BYTES) / 6);
    ck_assert_uint_lt(apex_outlet_room(outlet), 6);
    assert_lines(count);
    ck_assert(apex_outlet_put(outlet, "again\n", 6));
    char text[6];
    ck_assert_int_eq(read(ends[0], text, sizeof text), 6);
    ck_assert_mem_eq(text, "again\n", 6);
}

TEST(what_waits_is_written_before_the_end_and_no_longer_waited_for) {
    ck_assert(apex_outlet_put(outlet, "last\n", 5));
    ck_assert(apex_outlet_destroy(outlet, 1000));
    char text[8];
    ck_assert_int_eq(read(ends[0], text, sizeof text), 5);
    ck_assert_int_eq(apex_outlet_create(ends[1], CAPACITY, &outlet), APEX_OK);
    fill();
    ck_assert(
        !apex_outlet_destroy(outlet, 50)); // its thread stands in a write, and is stopped there
    outlet = NULL;
}

TEST(what_is_longer_than_the_ring_is_refused_whole) {
    static const char bytes[CAPACITY + 1];
    ck_assert(!apex_outlet_put(outlet, bytes, sizeof bytes));
    ck_assert_uint_eq(apex_outlet_room(outlet), CAPACITY);
}

TEST(a_reader_who_has_gone_is_no_end) {
    close(ends[0]);
    ck_assert(apex_outlet_put(outlet, "gone\n", 5));
    ck_assert(apex_outlet_destroy(outlet, 1000));
    outlet = NULL;
    ends[0] = -1;
}
