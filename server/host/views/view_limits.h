/// The limits that a preset of a race file sets each viewer.
#pragma once

#include "content/content.h"
#include "replicate/replicate.h"

apex_view_limits host_view_limits(apex_snapshot_preset preset);
