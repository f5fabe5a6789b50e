/// Keys of track files.
#pragma once

#include "content/fields/table.h"

extern const content_table content_track_table; ///< of content_track_file
