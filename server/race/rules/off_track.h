// The judges of where a car goes: off the road, or the wrong way.
#pragma once

#include "race/rules/verdict.h"

void race_judge_road(const race_facts *facts, race_watch *watch, race_verdicts *out);
void race_judge_direction(const race_facts *facts, race_watch *watch, race_verdicts *out);
