/// Names that programs give when their users give none: "bot", "driver 2", "load-00017". Nobody
/// holds them, or the first who leaves his own out would shut out all who do as he did.
#pragma once

#include "net/player_name.h"

enum { HOST_COMMON_NAMES = 6 };

typedef struct host_common_names {
    apex_name_look looks[HOST_COMMON_NAMES];
} host_common_names;

void host_common_names_learn(host_common_names *common, const apex_name_judge *judge);
/// Whether it is one, or looks like one, whatever number stands behind it.
bool host_is_common_name(const host_common_names *common, const apex_name_judge *judge,
                         const char *name);
