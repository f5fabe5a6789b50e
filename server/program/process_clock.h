/// The only place that reads the clocks.
#pragma once

#include <stdint.h>

uint64_t server_monotonic_ns(void);
uint64_t server_monotonic_us(void);
uint64_t server_unix_us(void);
uint64_t server_boot_us(void); ///< since the machine was started, sleep included
/// Processor time of the whole process, since its start.
uint64_t server_cpu_us(void);
