/// The limits of what is read of a file.
#pragma once

enum {
    CONTENT_FILE_BYTES_MAX = 8 << 20,
    CONTENT_DEPTH_MAX = 16,
    CONTENT_ITEMS_MAX = 8192,    ///< of one list or map: the longest is a track's points
    CONTENT_NODES_MAX = 1 << 17, ///< values in a file: a track of 8192 points with all six numbers
    CONTENT_FIELDS_MAX = 48,     ///< keys of one map
};
