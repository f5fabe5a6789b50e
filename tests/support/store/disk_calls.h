// Calls that bring bytes to the disk, in front of the C library's: kept in their order, and made to
// fail or to fall short as a disk would. That a line survives a machine which stops is a matter of
// which call comes before which; after a kill the kernel still has it, so no kill shows that.
//
// Kept are pread, pwrite, fdatasync, fsync, rename and ftruncate on files of one folder, by one
// thread at a time.

#pragma once

#include <stddef.h>

typedef enum disk_call {
    DISK_READ,
    DISK_WRITE,
    DISK_SYNC_DATA,
    DISK_SYNC,
    DISK_RENAME,
    DISK_CUT,
    DISK_CALLS
} disk_call;

/// From here on, with nothing kept and no fault to come. @param folder that there is
void disk_calls_watch(const char *folder);
/// Forgets what is kept; faults to come stay.
void disk_calls_forget(void);

/// A line for each call, names without the folder's, itself being ".":
///     pwrite a.part 6 at 0        of which "takes 4" or "fails" may follow
///     fsync a.part
///     rename a.part a
///     ftruncate a to 12
/// Valid until the next call.
const char *disk_calls_kept(void);
unsigned disk_calls_count(disk_call call);

/// A call of this kind fails with `error`, of errno.h: the next one, or the one after `skip`
/// others.
void disk_calls_fail(disk_call call, unsigned skip, int error);
/// The next read or write takes no more than `bytes`.
void disk_calls_shorten(disk_call call, size_t bytes);
/// Is asked at the beginning of each sync. NULL: nobody
void disk_calls_at_sync(void (*ask)(void));
