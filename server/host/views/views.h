/// Views are sent at a rate: snapshots and telemetry, to those who are due.
#pragma once

#include "replicate/replicate.h"

typedef struct host_views {
    apex_replica *replica;
    apex_replica_codes *codes; ///< the replica's, written by encode alone
    apex_view_limits limits;
} host_views;
