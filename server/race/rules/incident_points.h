// The judge of incident points, in the manner of iRacing: nobody asks whose fault it was, and only
// the worst of a chain counts.
#pragma once

#include "race/rules/world_events.h"
#include "race/walk.h"

typedef struct race_incident_watch {
    bool off, lost;       // all wheels off the road; turned away from the lap
    uint32_t points;      // of this session
    uint32_t worst;       // points of the chain under way
    uint32_t chain_ticks; // left of it; 0: there is none
    uint32_t light_ticks; // left, in which no further light contact is told
} race_incident_watch;

// Each tick, after the contacts of that tick. INCIDENT (value: points that come on top; other), and
// OFFENCE INCIDENTS as more than points_max are reached (value: points). Leaving the road counts
// under green alone; neither that nor turning round counts in the lane.
void race_judge_incident(const race_facts *facts, race_incident_watch *watch, race_verdicts *out);
// A contact that he had a part in. A light one of cars is told with 0, once in 3 s; in a session
// against the clock, any of cars voids his lap too. @param touch `slot` is his, `other` the other's
void race_judge_incident_touch(const race_facts *facts, const race_touch *touch,
                               race_incident_watch *watch, race_verdicts *out);
void race_incident_walk(race_walk *io, race_incident_watch *watch);
