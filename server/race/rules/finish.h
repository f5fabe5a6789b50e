// The judges of the end: of who is home, and of who is still out when the race is over.
#pragma once

#include "race/rules/verdict.h"

void race_judge_home(const race_facts *facts, race_verdicts *out);
// When the race is over. @param facts of a player who is still running
void race_judge_end(const race_facts *facts, race_verdicts *out);
