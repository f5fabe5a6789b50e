/// The limit of files, and so of sockets, that a process may have open.
#pragma once

#include <stdint.h>

/// Raises the limit as far as the system allows: shells allow 1024 at first where it would allow
/// many more. @return the number that may be open now; UINT64_MAX if there is no limit.
uint64_t cli_raise_open_files(void);
