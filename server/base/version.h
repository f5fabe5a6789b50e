/// The commit that the programs were built from.
#pragma once

/// "4c85ef45abcd", with "-dirty" behind it if files had been changed since, or "unknown" where it
/// was not built from a clone. Only programs link it: it changes with each commit.
const char *apex_commit(void);
