/// Times of races as people read them. They are whole microseconds until here, and every digit is
/// cut off and none rounded, as timekeepers do: what a clock shows has gone by, a lap of 59.9999 s
/// took no minute, and one lap has one time in the log, in tables and on the page, which has the
/// same rules in ui/format.ts. tests/time_text.cases holds both to it. Gaps are cut toward zero
/// with their sign, so that an exact gap may differ by a thousandth from the difference of two
/// times as written. Clocks go down: "-0:01" stands until the lights are out. (DECISIONS 39)
#pragma once

#include <stdint.h>

enum { APEX_TIME_TEXT_BYTES = 32 };

/// Of a lap, a sector or a race: "59.012", "1:43.207", "2:05:00.000"; "" for 0, which is none yet.
void apex_time_text(uint64_t us, char out[APEX_TIME_TEXT_BYTES]);
/// The gap behind, or ahead of, another: "+1.234", "-0.050", "+1:02.345"; cut toward zero.
void apex_gap_text(int64_t us, char out[APEX_TIME_TEXT_BYTES]);
/// The race's clock to the tenth: "59.9", "1:02.4"; "-3.0" three seconds before the start. It goes
/// down to the tenth that has begun, so that 0.0 is never shown before the lights are out.
void apex_clock_text(int64_t us, char out[APEX_TIME_TEXT_BYTES]);
