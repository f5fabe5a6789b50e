/// This process in the kernel's words: its times, its memory, its files.
#pragma once

#include "api/api.h"

/// Looks at the times of all threads anew; what was known before goes in. The loop's thread is the
/// one that calls this; once a second is enough, it opens a file of each thread.
void server_process_times(apex_process_times *times);
/// All of it. @param times apex_process_times as they were last looked at.
bool server_process_look(const void *times, apex_process_figures *out);
