/// The line that practice between cones has taught.
#pragma once

#include "proving/course/gates.h"
#include "proving/test_driver/path.h"

/// The result of practice: a line, and its distance from each gate's right and left edge.
typedef struct proving_lesson {
    const proving_course *course;
    double keep_m[PROVING_GATES_MAX][2];
    double stiffness[PROVING_LINE_POINTS]; ///< of the line, for going on from here
    proving_path line;
} proving_lesson;

void proving_lesson_begin(proving_lesson *lesson, const proving_course *course,
                          const apex_hull_def *hull);
/// Moves the line away from edges that the car went beyond by so much.
void proving_lesson_learn(proving_lesson *lesson, const apex_hull_def *hull,
                          const proving_misses *misses);
