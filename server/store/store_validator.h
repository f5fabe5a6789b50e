/// The store's validator: whether its ring holds the records that are still to be written.
#pragma once

#include "store/ring.h"

/// Takes the lock. @return what is wrong, as a sentence; NULL: nothing
const char *store_validate(apex_store *store);
