/// Who players are, as files tell it.
#pragma once

#include "base/json_writer.h"
#include "store/store.h"

/// "driver": its fingerprint, or null.
void store_put_driver(apex_json_writer *json, const apex_store_who *who);
bool store_is_guest(const apex_store_who *who);
