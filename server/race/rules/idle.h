// The judge of players who do not drive.
#pragma once

#include "race/rules/verdict.h"

void race_judge_idle(const race_facts *facts, race_watch *watch, race_verdicts *out);
