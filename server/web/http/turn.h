// How much of the loop's time requests may have between two looks.
#pragma once

#include "web/web_state.h"

bool web_turn_has_request(const apex_web *web);
bool web_turn_has_write(const apex_web *web);
// Puts a connection in line: nothing is polled of it until it is told to go on.
void web_turn_hold(web_connection *connection);
void web_turn_forget(web_connection *connection);
