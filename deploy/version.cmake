# Writes OUT, a C file that knows the commit of SOURCE; COMMIT if that is given. What has not changed
# is left alone, so that nothing is built again for it.
if(NOT COMMIT)
  execute_process(
    COMMAND git --no-optional-locks describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE COMMIT ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT COMMIT MATCHES "^[0-9A-Za-z.+-]+$")
  set(COMMIT unknown)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT [[
#include "base/version.h"

const char *apex_commit(void) {
    return "@COMMIT@";
}
]] @ONLY)
