// The judges of the world's events of a tick: those of single cars, and contacts.
#pragma once

#include "race/rules/verdict.h"

void race_judge_car_event(const race_facts *facts, const apex_car_event *event, race_watch *watch,
                          race_verdicts *out);
void race_judge_contact(const race_field *field, const apex_contact_event *contact,
                        race_verdicts *out);
