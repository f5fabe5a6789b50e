/// The reason why a definition is refused, written for its author.
#pragma once

#include "track/track.h"

/// Writes "field: reason" into the problem (which may be NULL).
/// @param format of the whole; the first ": " parts the two.
/// @return APEX_ERR_INVALID, for the caller to hand on.
apex_err track_refuse(apex_def_problem *problem, const char *format, ...);
