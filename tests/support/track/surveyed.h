// Surveyed circuits, where they are at hand: six of the TUM racetrack database, a point every 5 m.
// They are not part of the project; APEX_SHARED names the folder that holds tracks/, else it is
// looked for beside the checkout.

#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SURVEYED_PATH_BYTES = 1024 };

void surveyed_path(const char *name, char path[SURVEYED_PATH_BYTES]);
// False after a line that says they are missing: then a test has no suite.
bool surveyed_are_here(void);
