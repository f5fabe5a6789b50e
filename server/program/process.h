/// This process in the kernel's words: its times, its memory, its files.
#pragma once

#include "api/api.h"

/// Looks at the times of all threads anew. The loop's thread is the one that calls this; once a
/// second is enough, it opens a file of each thread.
apex_process_times server_process_times(void);
/// All of it, with the times as they were last looked at.
bool server_process_look(apex_process_figures *out);
