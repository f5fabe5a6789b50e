/// Orders of race control and stewards, as an operator types them, and what status says of sessions
/// and penalties.
#pragma once

#include <stdio.h>

#include "host/host.h"

void console_session(apex_server *server, const char *rest, FILE *out);
void console_flag(apex_server *server, const char *rest, FILE *out);
void console_penalise(apex_server *server, const char *rest, FILE *out);
void console_change(apex_server *server, const char *rest, FILE *out);
void console_pardon(apex_server *server, const char *rest, FILE *out);

/// Nothing in an event without sessions and rules.
void console_print_session(const apex_server *server, FILE *out);
void console_print_penalties(const apex_server *server, FILE *out);

/// "#65537" is a number, even if somebody is called so: he has one as well. 0 is nobody.
bool console_read_number(const char *text, uint32_t *number);
