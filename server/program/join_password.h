/// The password of a race: from the command line, the environment, or a file.
#pragma once

#include "host/host.h"
#include "program/server_options.h"

/// Puts it into the race file. Where several are given, that of the command line goes first, then
/// APEX_PASSWORD of the environment, then the race file's.
/// @return false with a sentence in `why`.
bool join_password_choose(const server_options *options, apex_race_file *file,
                          char why[APEX_HOST_WHY_BYTES]);
