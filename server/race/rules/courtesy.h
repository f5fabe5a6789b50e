// The judge of courtesy: who touches nobody for a while, so that he spoils nobody's race.
#pragma once

#include "race/rules/verdict.h"

// @return whether the rules ask that his car be a ghost now; while they do, clear.h lets it not
// turn solid. In events without rules they ask it of whoever is in the pit lane.
bool race_courtesy_asks(const race_facts *facts);
// To be asked before the judge of ghosts. GHOST, of a car that is solid.
void race_judge_courtesy(const race_facts *facts, race_verdicts *out);
