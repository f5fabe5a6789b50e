// Ticks come first. Between two looks of the races requests may have so much of the loop's time
// that a tick that is due is not late for them, however many ask and whatever they ask for; who
// comes beyond that waits in line for the next look, who has waited longest goes first.
#include "base/assert.h"
#include "web/web_private.h"

enum {
    REQUESTS_MAX = 64,               ///< some 10 us each
    WRITTEN_BYTES_MAX = 1024 * 1024, ///< the kernel copies so much in half a millisecond
    RELEASED_MAX = 64,
};

bool web_turn_has_request(const apex_web *web) {
    return web->turn.requests < REQUESTS_MAX;
}

bool web_turn_has_write(const apex_web *web) {
    return web->turn.written_bytes < WRITTEN_BYTES_MAX;
}

void web_turn_hold(web_connection *connection) {
    web_turn *turn = &connection->web->turn;
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

void web_turn_forget(web_connection *connection) {
    web_turn *turn = &connection->web->turn;
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

// Who goes on and finds that others have used it all up is held again, behind all others; so no
// more than were there at first are looked at.
void web_turn_begin(apex_web *web) {
    web->turn.requests = 0;
    web->turn.written_bytes = 0;
    const web_connection *last = web->turn.last;
    for (int i = 0; i < RELEASED_MAX && web->turn.first != NULL; i++) {
        web_connection *connection = web->turn.first;
        bool is_last = connection == last;
        web_turn_forget(connection);
        web_connection_go_on(connection);
        if (is_last) {
            return;
        }
    }
}
