// The facts of a player that only rules ask for.
#pragma once

#include "race/field/field.h"
#include "race/rules/facts.h"
#include "race/timing/lap.h"

// Once a tick for each player, after he has been followed: his card notes where in the pits he is.
// Nothing without cards.
void race_find_rule_facts(race_field *field, race_facts *facts, race_advance advance);
