// The judge of ghosts: whether one may be touched again.
#pragma once

#include "race/rules/verdict.h"

// @return whether the judge needs to know if the way is clear and the place is free.
bool race_ghost_is_due(const race_facts *facts);
void race_judge_ghost(const race_facts *facts, race_verdicts *out);
