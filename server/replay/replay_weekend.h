/// A race weekend in the header of a replay. All numbers little-endian, each list behind its count.
#pragma once

#include "replay/replay_format.h"

enum { STORE_WEEKEND_BYTES_MAX = 32 * 1024 }; ///< above what a full one takes

void store_put_weekend(store_bytes_out *out, const apex_weekend_def *def);
/// Sets `failed` for a choice or a count that there is not, for a text that has no end or is no
/// UTF-8, and for a weekend that apex_weekend_check refuses.
apex_weekend_def store_take_weekend(store_bytes_in *in, uint32_t car_count);
