// The judge of ghosts: whether one may be touched again.
#pragma once

#include "race/rules/verdict.h"

void race_judge_ghost(const race_facts *facts, race_verdicts *out);
