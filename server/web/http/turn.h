// Turns: the share of the loop's time that requests may have between two looks.
#pragma once

#include "web/http/connection.h"

// The work done since the last look, and the connections that wait for the next.
typedef struct web_turn {
    uint32_t requests;
    size_t written_bytes;
    web_connection *first, *last; // in line
} web_turn;

bool web_turn_has_request(const web_turn *turn);
bool web_turn_has_write(const web_turn *turn);
// Puts a connection in line: nothing is polled of it until it is told to go on.
void web_turn_hold(web_turn *turn, web_connection *connection);
void web_turn_forget(web_turn *turn, web_connection *connection);
