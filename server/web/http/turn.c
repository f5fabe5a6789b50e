// Turns of requests between ticks, which come first. Between two looks of the races requests may
// have so much of the loop's time that a tick that is due is not late for them, however many ask
// and whatever they ask for; a request beyond that waits in line for the next look, and the one
// that has waited longest goes first.
//
// The decision stands in DECISIONS 35.
#include "web/http/turn.h"

#include "base/assert.h"

enum {
    REQUESTS_MAX = 64,               ///< some 10 us each
    WRITTEN_BYTES_MAX = 1024 * 1024, ///< the kernel copies so much in half a millisecond
};

bool web_turn_has_request(const web_turn *turn) {
    return turn->requests < REQUESTS_MAX;
}

bool web_turn_has_write(const web_turn *turn) {
    return turn->written_bytes < WRITTEN_BYTES_MAX;
}

void web_turn_hold(web_turn *turn, web_connection *connection) {
    APEX_ASSERT(!connection->is_held);
    uv_poll_stop(&connection->poll);
    connection->is_held = true;
    connection->held_before = turn->last;
    connection->held_after = NULL;
    if (turn->last != NULL) {
        turn->last->held_after = connection;
    } else {
        turn->first = connection;
    }
    turn->last = connection;
}

void web_turn_forget(web_turn *turn, web_connection *connection) {
    if (!connection->is_held) {
        return;
    }
    if (connection->held_before != NULL) {
        connection->held_before->held_after = connection->held_after;
    } else {
        turn->first = connection->held_after;
    }
    if (connection->held_after != NULL) {
        connection->held_after->held_before = connection->held_before;
    } else {
        turn->last = connection->held_before;
    }
    connection->is_held = false;
}
