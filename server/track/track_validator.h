/// The track's validator: whether a laid track is what all its readers take it for.
#pragma once

#include "track/laid_track.h"

/// @return what is wrong, as a sentence; NULL: nothing
const char *track_validate(const apex_track *track);
