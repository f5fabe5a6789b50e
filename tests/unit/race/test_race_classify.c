// Results that were worked out by hand, in one table: who stands where, with which status, and how
// far behind.
#include "race/timing/classify.h"
#include "support/base/check_main.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_MAX = 6, LAPS_MAX = 3 };

// Seconds and microseconds.
#define T(seconds, us) (UINT64_C(1000000) * (seconds) + (us))

typedef enum kind { RACE, CLOCK, RED } kind;

// A competitor, and after his facts the line that he has to have: its place in the result, status
// (C, N, S: did not start, D), position, laps and microseconds behind.
typedef struct competitor {
    uint32_t number, grid, laps;
    uint64_t ends_us[RACE_ENDS_KEPT];
    uint64_t penalty_us;
    const char *how; // s: started, f: flag, d: disqualified; p: left the pits, b: began a lap
    uint32_t line;
    char status;
    uint32_t position, behind;
    uint64_t gap_us;
    uint32_t gate, class1, class_position;
    uint32_t before;
    race_lap_row driven[LAPS_MAX];
} competitor;

typedef struct result_sheet {
    const char *what;
    kind kind;
    uint32_t percent; // of the winner's laps
    bool flag_needed;
    uint32_t back_to;
    competitor rows[ROWS_MAX];
} result_sheet;

#define LAPS(...) .driven = {__VA_ARGS__}

// Number, grid, laps, ends, penalty, how: line, status, position, laps behind, gap.
static const result_sheet SHEETS[] = {
    {"all on the lead lap", RACE, 90,
     .rows = {{7, 3, 57, {T(5420, 250000)}, 0, "sf", 3, 'C', 3, 0, T(20, 250000), .gate = 0},
              {4, 1, 57, {T(5401, 500000)}, 0, "sf", 2, 'C', 2, 0, T(1, 500000), .gate = 0},
              {9, 2, 57, {T(5400, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    // Time is up at 3600 s. The lapped car crosses at 3600.4 and has to go on; the leader at 3601.
    {"a lapped car is first over the line after time", RACE, 90,
     .rows = {{2, 2, 30, {T(3712, 0), T(3600, 400000)}, 0, "sf", 3, 'C', 3, 1, 0, .gate = 0},
              {1, 1, 31, {T(3601, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {3, 3, 31, {T(3605, 0)}, 0, "sf", 2, 'C', 2, 0, T(4, 0), .gate = 0}}},
    {"a lapped car takes the flag between first and second", RACE, 90,
     .rows = {{1, 1, 20, {T(1800, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {2, 2, 19, {T(1801, 0)}, 0, "sf", 3, 'C', 3, 1, 0, .gate = 0},
              {3, 3, 20, {T(1802, 0)}, 0, "sf", 2, 'C', 2, 0, T(2, 0), .gate = 0}}},
    {"the leader stops on the extra lap and is passed", RACE, 90,
     .rows = {{1, 1, 41, {T(3725, 0)}, 0, "sf", 2, 'C', 2, 0, T(20, 0), .gate = 0},
              {2, 2, 41, {T(3705, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {3, 3, 40, {T(3706, 0)}, 0, "sf", 3, 'C', 3, 1, 0, .gate = 0}}},
    {"a finish in the lane counts at its line", RACE, 90,
     .rows = {{1, 1, 12, {T(1203, 999999)}, 0, "sf", 2, 'C', 2, 0, 1, .gate = 0},
              {2, 2, 12, {T(1203, 999998)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    {"several laps down", RACE, 50,
     .rows = {{3, 1, 6, {T(1000, 0)}, 0, "sf", 3, 'C', 3, 4, 0, .gate = 0},
              {2, 2, 7, {T(1090, 0)}, 0, "sf", 2, 'C', 2, 3, 0, .gate = 0},
              {1, 3, 10, {T(1000, 1)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    // Equal to the microsecond.
    {"a dead heat goes by the gate before", RACE, 90,
     .rows = {{1, 1, 9, {T(900, 7)}, 0, "sf", 2, 'C', 1, 0, 0, .gate = 2},
              {2, 2, 9, {T(900, 7)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 1},
              {3, 3, 9, {T(901, 7)}, 0, "sf", 3, 'C', 3, 0, T(1, 0), .gate = 3}}},
    {"a dead heat goes by the grid", RACE, 90,
     .rows = {{1, 5, 9, {T(900, 0)}, 0, "sf", 3, 'C', 2, 0, T(1, 0), .gate = 0},
              {2, 4, 9, {T(900, 0)}, 0, "sf", 2, 'C', 2, 0, T(1, 0), .gate = 0},
              {3, 6, 9, {T(899, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    {"a dead heat goes by number, and who has none is last", RACE, 90,
     .rows = {{0, 0, 9, {T(900, 0)}, 0, "sf", 4, 'C', 1, 0, 0, .gate = 0},
              {12, 0, 9, {T(900, 0)}, 0, "sf", 3, 'C', 1, 0, 0, .gate = 0},
              {8, 0, 9, {T(900, 0)}, 0, "sf", 2, 'C', 1, 0, 0, .gate = 0},
              {99, 7, 9, {T(900, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    {"a microsecond is no dead heat", RACE, 90,
     .rows = {{1, 1, 9, {T(900, 1)}, 0, "sf", 2, 'C', 2, 0, 1, .gate = 1},
              {2, 2, 9, {T(900, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 2}}},
    {"equal times on different laps are none", RACE, 90,
     .rows = {{1, 1, 19, {T(900, 0)}, 0, "sf", 2, 'C', 2, 1, 0, .gate = 0},
              {2, 2, 20, {T(900, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    // Time penalties.
    {"five seconds turn first into second", RACE, 90,
     .rows = {{1, 1, 57, {T(5400, 0)}, T(5, 0), "sf", 2, 'C', 2, 0, T(1, 500000), .gate = 0},
              {2, 2, 57, {T(5403, 500000)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {3, 3, 57, {T(5405, 1)}, 0, "sf", 3, 'C', 3, 0, T(1, 500001), .gate = 0}}},
    {"five seconds that are not enough", RACE, 90,
     .rows = {{1, 1, 57, {T(5400, 0)}, T(5, 0), "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {2, 2, 57, {T(5405, 1)}, 0, "sf", 2, 'C', 2, 0, 1, .gate = 0}}},
    {"a penalty makes a dead heat", RACE, 90,
     .rows = {{1, 2, 57, {T(5400, 0)}, T(5, 0), "sf", 2, 'C', 1, 0, 0, .gate = 0},
              {2, 1, 57, {T(5405, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    // A lap is 95 s.
    {"a penalty larger than a lap drops nobody behind the lapped", RACE, 90,
     .rows = {{1, 1, 57, {T(5400, 0)}, T(120, 0), "sf", 2, 'C', 2, 0, T(90, 0), .gate = 0},
              {2, 2, 57, {T(5430, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {3, 3, 56, {T(5401, 0)}, 0, "sf", 3, 'C', 3, 1, 0, .gate = 0}}},
    {"a penalty among the lapped stays among them", RACE, 90,
     .rows = {{1, 1, 57, {T(5400, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {2, 2, 56, {T(5410, 0)}, T(10, 0), "sf", 3, 'C', 3, 1, 0, .gate = 0},
              {3, 3, 56, {T(5419, 0)}, 0, "sf", 2, 'C', 2, 1, 0, .gate = 0},
              {4, 4, 55, {T(5402, 0)}, 0, "sf", 4, 'C', 4, 2, 0, .gate = 0}}},
    {"both have penalties", RACE, 90,
     .rows = {{1, 1, 30, {T(3000, 0)}, T(30, 0), "sf", 2, 'C', 2, 0, T(8, 0), .gate = 0},
              {2, 2, 30, {T(3012, 0)}, T(10, 0), "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    // Disqualified.
    {"the winner is disqualified", RACE, 90,
     .rows = {{1, 1, 57, {T(5400, 0)}, 0, "sfd", 3, 'D', 0, 0, 0, .gate = 0},
              {2, 2, 57, {T(5410, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {3, 3, 57, {T(5411, 0)}, 0, "sf", 2, 'C', 2, 0, T(1, 0), .gate = 0}}},
    {"laps behind are counted from who wins then", RACE, 90,
     .rows = {{1, 1, 58, {T(5400, 0)}, 0, "sfd", 3, 'D', 0, 0, 0, .gate = 0},
              {2, 2, 57, {T(5410, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {3, 3, 56, {T(5405, 0)}, 0, "sf", 2, 'C', 2, 1, 0, .gate = 0}}},
    // 60 laps would ask for 54, 57 for 51.
    {"the share is of who wins then", RACE, 90,
     .rows = {{1, 1, 60, {T(5400, 0)}, 0, "sfd", 3, 'D', 0, 0, 0, .gate = 0},
              {2, 2, 57, {T(5410, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {3, 3, 51, {T(5405, 0)}, 0, "sf", 2, 'C', 2, 6, 0, .gate = 0}}},
    {"the disqualified stand last, by what they drove", RACE, 90,
     .rows = {{1, 1, 57, {T(5400, 0)}, 0, "sfd", 4, 'D', 0, 0, 0, .gate = 0},
              {2, 2, 58, {T(5410, 0)}, 0, "sfd", 3, 'D', 0, 0, 0, .gate = 0},
              {3, 3, 0, {0}, 0, "", 2, 'S', 0, 0, 0, .gate = 0},
              {4, 4, 20, {T(5405, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    // The share of the distance.
    {"of 57 laps 51 are enough and 50 are not", RACE, 90,
     .rows = {{1, 1, 50, {T(5450, 0)}, 0, "sf", 3, 'N', 0, 7, 0, .gate = 0},
              {2, 2, 51, {T(5470, 0)}, 0, "sf", 2, 'C', 2, 6, 0, .gate = 0},
              {3, 3, 57, {T(5400, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    {"of 10 laps 7 are 70 per cent", RACE, 70,
     .rows = {{1, 1, 10, {T(1000, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {2, 2, 7, {T(1010, 0)}, 0, "sf", 2, 'C', 2, 3, 0, .gate = 0},
              {3, 3, 6, {T(1020, 0)}, 0, "sf", 3, 'N', 0, 4, 0, .gate = 0}}},
    {"of 100 laps 29 are 29 per cent", RACE, 29,
     .rows = {{1, 1, 100, {T(9000, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {2, 2, 29, {T(2000, 0)}, 0, "s", 2, 'C', 2, 71, 0, .gate = 0},
              {3, 3, 28, {T(1900, 0)}, 0, "s", 3, 'N', 0, 72, 0, .gate = 0}}},
    {"who has no lap is not classified in a race of one", RACE, 90,
     .rows = {{1, 1, 0, {0}, 0, "s", 2, 'N', 0, 1, 0, .gate = 0},
              {2, 2, 1, {T(99, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    {"without a share everybody who started is", RACE, 0,
     .rows = {{1, 4, 0, {0}, 0, "s", 3, 'C', 3, 8, 0, .gate = 0},
              {2, 3, 0, {0}, T(5, 0), "s", 2, 'C', 2, 8, 0, .gate = 0},
              {3, 2, 8, {T(800, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {4, 1, 0, {0}, 0, "", 4, 'S', 0, 0, 0, .gate = 0}}},
    // Retired.
    {"who retires on the last lap keeps what he has driven", RACE, 90,
     .rows = {{1, 1, 57, {T(5400, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {2, 2, 56, {T(5310, 0)}, 0, "s", 2, 'C', 2, 1, 0, .gate = 0},
              {3, 3, 56, {T(5402, 0)}, 0, "sf", 3, 'C', 3, 1, 0, .gate = 0}}},
    {"where the flag is needed he is not classified", RACE, 90, true,
     .rows = {{1, 1, 57, {T(5400, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0},
              {2, 2, 56, {T(5310, 0)}, 0, "s", 3, 'N', 0, 1, 0, .gate = 0},
              {3, 3, 55, {T(5402, 0)}, 0, "sf", 2, 'C', 2, 2, 0, .gate = 0}}},
    // 0.9 of 20 is 18, of 19 it is 17.
    {"and who retires in the lead sets no distance then", RACE, 90, true,
     .rows = {{1, 1, 20, {T(2000, 0)}, 0, "s", 3, 'N', 0, 0, 0, .gate = 0},
              {2, 2, 17, {T(2080, 0)}, 0, "sf", 2, 'C', 2, 2, 0, .gate = 0},
              {3, 3, 19, {T(2050, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    {"who retires in the lead of a race by time has won without", RACE, 90,
     .rows = {{1, 1, 20, {T(2000, 0)}, 0, "s", 1, 'C', 1, 0, 0, .gate = 0},
              {2, 2, 17, {T(2080, 0)}, 0, "sf", 3, 'N', 0, 3, 0, .gate = 0},
              {3, 3, 19, {T(2050, 0)}, 0, "sf", 2, 'C', 2, 1, 0, .gate = 0}}},
    {"who retires on the first lap stands by the grid", RACE, 90,
     .rows = {{1, 3, 0, {0}, T(5, 0), "s", 3, 'N', 0, 20, 0, .gate = 0},
              {2, 8, 0, {0}, 0, "s", 4, 'N', 0, 20, 0, .gate = 0},
              {3, 5, 1, {T(95, 0)}, 0, "s", 2, 'N', 0, 19, 0, .gate = 0},
              {4, 9, 20, {T(1900, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    {"without a flag: who completed the last lap earlier", RACE, 90,
     .rows = {{1, 1, 14, {T(1402, 0)}, 0, "s", 2, 'C', 2, 0, T(1, 0), .gate = 0},
              {2, 2, 14, {T(1401, 0)}, 0, "s", 1, 'C', 1, 0, 0, .gate = 0},
              {3, 3, 13, {T(1399, 0)}, 0, "s", 3, 'C', 3, 1, 0, .gate = 0}}},
    {"nobody has a lap", RACE, 90,
     .rows = {{1, 2, 0, {0}, 0, "s", 2, 'N', 0, 0, 0, .gate = 0},
              {2, 1, 0, {0}, 0, "s", 1, 'N', 0, 0, 0, .gate = 0},
              {3, 0, 0, {0}, 0, "s", 3, 'N', 0, 0, 0, .gate = 0}}},
    {"who did not start stands behind, by grid and number", RACE, 90,
     .rows = {{31, 0, 0, {0}, 0, "", 4, 'S', 0, 0, 0, .gate = 0},
              {30, 0, 0, {0}, 0, "", 3, 'S', 0, 0, 0, .gate = 0},
              {40, 1, 0, {0}, 0, "", 2, 'S', 0, 0, 0, .gate = 0},
              {50, 2, 3, {T(300, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .gate = 0}}},
    // Classes.
    {"each class has its own winner and distance", RACE, 90,
     .rows = {{1, 1, 50, {T(5400, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .class1 = 1, .class_position = 1},
              {2, 2, 44, {T(5401, 0)}, 0, "sf", 2, 'C', 2, 6, 0, .class1 = 2, .class_position = 1},
              {3, 3, 39, {T(5402, 0)}, 0, "sf", 3, 'C', 3, 11, 0, .class1 = 2, .class_position = 2},
              {4, 4, 44, {T(5403, 0)}, 0, "s", 4, 'N', 0, 6, 0, .class1 = 1},
              {5, 5, 38, {T(5404, 0)}, 0, "s", 5, 'N', 0, 12, 0, .class1 = 2},
              {6, 6, 50, {T(5405, 0)}, 0, "", 6, 'S', 0, 0, 0, .class1 = 1}}},
    {"a dead heat across classes", RACE, 90,
     .rows =
         {{1, 1, 9, {T(900, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .class1 = 1, .class_position = 1},
          {2, 2, 9, {T(900, 0)}, 0, "sf", 2, 'C', 1, 0, 0, .class1 = 2, .class_position = 1},
          {3, 3, 9, {T(900, 0)}, 0, "sf", 3, 'C', 1, 0, 0, .class1 = 1, .class_position = 1},
          {4, 4, 9, {T(901, 0)}, 0, "sf", 4, 'C', 4, 0, T(1, 0), .class1 = 1, .class_position = 3},
          {5,
           5,
           9,
           {T(902, 0)},
           0,
           "sf",
           5,
           'C',
           5,
           0,
           T(2, 0),
           .class1 = 2,
           .class_position = 2}}},
    {"a class moves up when its winner is disqualified", RACE, 90,
     .rows =
         {{1, 1, 9, {T(900, 0)}, 0, "sf", 1, 'C', 1, 0, 0, .class1 = 2, .class_position = 1},
          {2, 2, 9, {T(901, 0)}, 0, "sfd", 4, 'D', 0, 0, 0, .class1 = 1},
          {3, 3, 9, {T(902, 0)}, 0, "sf", 2, 'C', 2, 0, T(2, 0), .class1 = 1, .class_position = 1},
          {4, 4, 9, {T(903, 0)}, 0, "sf", 3, 'C', 3, 0, T(3, 0), .gate = 0}}},
    // Red flag, not resumed. The leader is on lap 12 at the signal: the result of lap 10. The
    // second passed him in lap 11.
    {"red: a pass of the last two laps does not count", RED, 90, .back_to = 10,
     .rows = {{1, 1, 11, {T(1102, 0), T(1001, 0), T(900, 0)}, 0, "s", 1, 'C', 1, 0, 0, .gate = 0},
              {2,
               2,
               11,
               {T(1101, 0), T(1003, 0), T(901, 0)},
               0,
               "s",
               2,
               'C',
               2,
               0,
               T(2, 0),
               .gate = 0}}},
    // The flag falls at 1000. The lapped car comes to the line at 1050 and again at 1170.
    {"red: the lapped end at their next line", RED, 80, .back_to = 10,
     .rows = {{1, 1, 11, {T(1100, 0), T(1000, 0), T(900, 0)}, 0, "s", 1, 'C', 1, 0, 0, .gate = 0},
              {2, 2, 10, {T(1170, 0), T(1050, 0), T(930, 0)}, 0, "s", 3, 'C', 3, 1, 0, .gate = 0},
              {3, 3, 10, {T(1099, 0), T(999, 999999)}, 0, "s", 2, 'C', 2, 0, T(99, 0), .gate = 0}}},
    {"red: who never came to that line keeps his laps", RED, 80, .back_to = 10,
     .rows = {{1, 1, 11, {T(1100, 0), T(1000, 0)}, 0, "s", 1, 'C', 1, 0, 0, .gate = 0},
              {2, 2, 9, {T(905, 0), T(800, 0)}, 0, "s", 3, 'C', 3, 1, 0, .gate = 0},
              {3, 3, 9, {T(901, 0), T(800, 0)}, T(3, 0), "s", 2, 'C', 2, 1, 0, .gate = 0},
              {4, 4, 7, {T(700, 0), T(600, 0)}, 0, "s", 4, 'N', 0, 3, 0, .gate = 0}}},
    {"red: he has not taken the flag", RED, 80, true, .back_to = 10,
     .rows = {{1, 1, 9, {T(905, 0), T(800, 0)}, 0, "s", 3, 'N', 0, 1, 0, .gate = 0},
              {2, 2, 11, {T(1100, 0), T(1000, 0)}, 0, "s", 1, 'C', 1, 0, 0, .gate = 0},
              {3, 3, 9, {T(1010, 0), T(890, 0)}, 0, "s", 2, 'C', 2, 1, 0, .gate = 0}}},
    // The first to complete lap 10 was not the one who led at the signal.
    {"red: the flag is for who was first then", RED, 90, .back_to = 10,
     .rows = {{1, 1, 11, {T(1100, 0), T(1003, 0)}, 0, "s", 2, 'C', 2, 0, T(3, 0), .gate = 0},
              {2, 2, 10, {T(1000, 0), T(900, 0)}, 0, "s", 1, 'C', 1, 0, 0, .gate = 0},
              {3, 3, 10, {T(1104, 0), T(1001, 0)}, 0, "s", 3, 'C', 3, 1, 0, .gate = 0}}},
    {"red: penalties are added to that time", RED, 90, .back_to = 10,
     .rows = {{1, 1, 11, {T(1102, 0), T(1001, 0)}, T(5, 0), "s", 2, 'C', 2, 0, T(3, 0), .gate = 0},
              {2, 2, 11, {T(1101, 0), T(1003, 0)}, 0, "s", 1, 'C', 1, 0, 0, .gate = 0}}},
    {"red in the second lap: nothing but the grid", RED, 90, .back_to = 0,
     .rows = {{1, 2, 1, {T(99, 0)}, 0, "s", 2, 'N', 0, 0, 0, .gate = 1},
              {2, 1, 1, {T(100, 0)}, 0, "s", 1, 'N', 0, 0, 0, .gate = 2}}},
    // Against the clock. Of equal laps the one that was set first.
    {"equal best laps", CLOCK, 90,
     .rows = {{1, .how = "pb", .line = 2, .status = 'C', .position = 2,
               LAPS({T(90, 0), T(500, 0), 0})},
              {2, .how = "pb", .line = 1, .status = 'C', .position = 1,
               LAPS({T(90, 0), T(499, 0), 0})},
              {3, .how = "pb", .line = 3, .status = 'C', .position = 3, .gap_us = 1,
               LAPS({T(90, 1), T(100, 0), 0})}}},
    {"an equal lap of his own does not replace the first", CLOCK, 90,
     .rows = {{1, .how = "pb", .line = 1, .status = 'C', .position = 1,
               LAPS({T(90, 0), T(300, 0), 0}, {T(90, 0), T(600, 0), 0})},
              {2, .how = "pb", .line = 2, .status = 'C', .position = 2,
               LAPS({T(91, 0), T(200, 0), 0}, {T(90, 0), T(400, 0), 0})}}},
    {"equal laps of one moment", CLOCK, 90,
     .rows = {{1, .laps = 5, .how = "pb", .before = 4, .line = 2, .status = 'C', .position = 2,
               LAPS({T(90, 0), T(300, 0), 0})},
              {2, .laps = 5, .how = "pb", .before = 3, .line = 1, .status = 'C', .position = 1,
               LAPS({T(90, 0), T(300, 0), 0})}}},
    {"the best lap is deleted after the session", CLOCK, 90,
     .rows = {{1, .how = "pb", .line = 2, .status = 'C', .position = 2, .gap_us = T(0, 300000),
               LAPS({T(89, 0), T(300, 0), APEX_VOID_DELETED}, {T(91, 300000), T(600, 0), 0})},
              {2, .how = "pb", .line = 1, .status = 'C', .position = 1,
               LAPS({T(91, 0), T(200, 0), 0}, {T(92, 0), T(400, 0), 0})}}},
    {"his only lap is deleted", CLOCK, 90,
     .rows = {{1, .how = "pb", .before = 1, .line = 2, .status = 'N',
               LAPS({T(89, 0), T(300, 0), APEX_VOID_DELETED},
                    {T(88, 0), T(600, 0), APEX_VOID_CUT})},
              {2, .how = "pb", .before = 2, .line = 1, .status = 'C', .position = 1,
               LAPS({T(99, 0), T(200, 0), 0})},
              {3, .how = "p", .before = 3, .line = 3, .status = 'N',
               LAPS({T(150, 0), T(300, 0), APEX_VOID_OUT})}}},
    {"without a time: a flying lap, the pits, the rest", CLOCK, 90,
     .rows = {{1, .how = "", .before = 1, .line = 5, .status = 'S'},
              {2, .how = "p", .before = 2, .line = 4, .status = 'N'},
              {3, .how = "pb", .before = 4, .line = 3, .status = 'N'},
              {4, .how = "pb", .before = 3, .line = 2, .status = 'N'},
              {5, .how = "pb", .before = 5, .line = 1, .status = 'C', .position = 1,
               LAPS({T(90, 0), T(200, 0), 0})}}},
    {"without an earlier order: grid, then number", CLOCK, 90,
     .rows = {{8, .how = "p", .line = 3, .status = 'N'},
              {7, .how = "p", .line = 2, .status = 'N', .grid = 3},
              {9, .how = "p", .line = 1, .status = 'N', .before = 20},
              {3, .how = "", .line = 4, .status = 'S', .before = 1}}},
    {"who was fastest is disqualified", CLOCK, 90,
     .rows = {{1, .how = "pbd", .line = 3, .status = 'D', LAPS({T(80, 0), T(200, 0), 0})},
              {2, .how = "pb", .line = 1, .status = 'C', .position = 1,
               LAPS({T(90, 0), T(200, 0), 0})},
              {3, .how = "", .line = 2, .status = 'S'}}},
    {"classes against the clock", CLOCK, 90,
     .rows = {{1, .how = "pb", .line = 2, .status = 'C', .position = 2, .gap_us = T(5, 0),
               .class1 = 2, .class_position = 1, LAPS({T(95, 0), T(200, 0), 0})},
              {2, .how = "pb", .line = 1, .status = 'C', .position = 1, .class1 = 1,
               .class_position = 1, LAPS({T(90, 0), T(200, 0), 0})},
              {3, .how = "pb", .line = 3, .status = 'C', .position = 3, .gap_us = T(5, 0),
               .class1 = 2, .class_position = 2, LAPS({T(95, 0), T(201, 0), 0})}}},
};

enum { SHEETS_COUNT = sizeof SHEETS / sizeof SHEETS[0] };

_Static_assert(SHEETS_COUNT >= 40, "hand-worked results");

static bool has(const competitor *row, char letter) {
    return strchr(row->how, letter) != NULL;
}

static race_result_facts facts_of(const competitor *row) {
    race_result_facts facts = {
        .number = row->number,
        .class1 = row->class1,
        .started = has(row, 's'),
        .disqualified = has(row, 'd'),
        .grid = row->grid,
        .flagged = has(row, 'f'),
        .laps = row->laps,
        .penalty_us = row->penalty_us,
        .gate_rank = row->gate,
        .left_pits = has(row, 'p'),
        .began_lap = has(row, 'b'),
        .rank_before = row->before,
    };
    memcpy(facts.ends_us, row->ends_us, sizeof facts.ends_us);
    const race_lap_row *best = race_best_lap_of(row->driven, LAPS_MAX);
    if (best != NULL) {
        facts.best_us = best->time_us;
        facts.best_set_us = best->set_us;
    }
    return facts;
}

static void expect_line(const char *what, const competitor *row, const race_result_line *line) {
    static const char LETTERS[] = {'C', 'N', 'S', 'D'};
    char told[160], wanted[160];
    snprintf(wanted, sizeof wanted, "%s: %u %c P%u class %u +%u laps +%llu us", what, row->number,
             row->status, row->position, row->class_position, row->behind,
             (unsigned long long)row->gap_us);
    snprintf(told, sizeof told, "%s: %u %c P%u class %u +%u laps +%llu us", what, row->number,
             LETTERS[line->status], line->position, line->class_position, line->laps_behind,
             (unsigned long long)line->gap_us);
    ck_assert_str_eq(told, wanted);
}

TEST_OVER(results_worked_by_hand, 0, SHEETS_COUNT) {
    const result_sheet *sheet = &SHEETS[_i];
    race_result_facts all[ROWS_MAX];
    race_result_line lines[ROWS_MAX];
    uint32_t count = 0;
    for (; count < ROWS_MAX && sheet->rows[count].line != 0; count++) {
        all[count] = facts_of(&sheet->rows[count]);
    }
    const apex_rules_def rules = {.classified_share = sheet->percent / 100.0,
                                  .flag_needed = sheet->flag_needed};
    if (sheet->kind == RED) {
        race_results_back_to(all, count, sheet->back_to);
    }
    if (sheet->kind == CLOCK) {
        race_classify_laps(all, count, lines);
    } else {
        race_classify_race(all, count, &rules, lines);
    }
    for (uint32_t i = 0; i < count; i++) {
        const competitor *row = &sheet->rows[lines[i].who];
        ck_assert_msg(row->line == i + 1, "%s: number %u is in line %u, not %u", sheet->what,
                      row->number, i + 1, row->line);
        expect_line(sheet->what, row, &lines[i]);
    }
}

TEST(net_and_gross_are_told_apart) {
    const race_result_facts all[] = {
        {.started = true, .laps = 10, .ends_us = {T(1000, 3)}, .penalty_us = T(5, 0)},
        {.started = true, .penalty_us = T(5, 0)},
        {.laps = 10, .ends_us = {T(999, 0)}}, // waits in the list with an old race's counts
    };
    race_result_line lines[3];
    race_classify_race(all, 3, &(apex_rules_def){.classified_share = 0.9}, lines);
    ck_assert_uint_eq(lines[0].gross_us, T(1000, 3));
    ck_assert_uint_eq(lines[0].net_us, T(1005, 3));
    ck_assert_uint_eq(lines[0].laps, 10);
    ck_assert_uint_eq(lines[1].gross_us, 0);
    ck_assert_uint_eq(lines[1].net_us, 0);
    ck_assert_uint_eq(lines[2].laps, 0);
    ck_assert_uint_eq(lines[2].gross_us, 0);
    ck_assert_int_eq(lines[2].status, APEX_RESULT_NOT_STARTED);
}

// As many as there can be, in an order that is turned about: each distance of the sort is used.
TEST(two_thousand_stand_in_order) {
    enum { COUNT = 2000 };
    static race_result_facts all[COUNT];
    static race_result_line lines[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t place = (i * 1237 + 11) % COUNT; // 1237 is prime to 2000
        all[i] = (race_result_facts){.started = true,
                                     .flagged = true,
                                     .number = place + 1,
                                     .laps = 50 - place / 200,
                                     .ends_us = {T(5000, place)}};
    }
    race_classify_race(all, COUNT, &(apex_rules_def){.classified_share = 0.9}, lines);
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_uint_eq(all[lines[i].who].number, i + 1);
        ck_assert_uint_eq(lines[i].position, i < 1200 ? i + 1 : 0); // 45 laps
    }
}

// A share that is a little less as a double: 0.0157 of 10,000 are 157.
TEST(a_share_is_what_was_written) {
    const race_result_facts all[] = {{.started = true, .laps = 10000, .ends_us = {2}},
                                     {.started = true, .laps = 157, .ends_us = {1}},
                                     {.started = true, .laps = 156, .ends_us = {1}}};
    race_result_line lines[3];
    race_classify_race(all, 3, &(apex_rules_def){.classified_share = 0.0157}, lines);
    ck_assert_int_eq(lines[1].status, APEX_RESULT_CLASSIFIED);
    ck_assert_int_eq(lines[2].status, APEX_RESULT_NOT_CLASSIFIED);
}

TEST(there_may_be_nobody) {
    race_classify_race(NULL, 0, &(apex_rules_def){.classified_share = 0.9}, NULL);
    race_classify_laps(NULL, 0, NULL);
    ck_assert_ptr_null(race_best_lap_of(NULL, 0));
}
