// The judges of a car that does not get on: it makes no way or, in an open session, lies on its
// roof.
#pragma once

#include "race/rules/verdict.h"

void race_judge_way(const race_facts *facts, race_watch *watch, race_verdicts *out);
void race_judge_session(const race_facts *facts, race_watch *watch, race_verdicts *out);
