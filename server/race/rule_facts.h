// The facts of a player that only rules ask for.
#pragma once

#include "race/field/field.h"
#include "race/rules/facts.h"
#include "race/timing/lap.h"

// Once a tick for each player, after he has been followed. Nothing without rules.
void race_find_rule_facts(const race_field *field, race_facts *facts, race_advance advance);
