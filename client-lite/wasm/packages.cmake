# The packages that module.cmake finds on a system that has some, for one that has none: no threads,
# and protobuf-c compiled from its source. libxxhash is a header only, and beside it clang finds it.

add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)

set(APEX_PROTOBUF_C_SOURCE "" CACHE PATH "Folder with protobuf-c/protobuf-c.c")
if(NOT EXISTS ${APEX_PROTOBUF_C_SOURCE}/protobuf-c/protobuf-c.c)
  message(FATAL_ERROR "APEX_PROTOBUF_C_SOURCE is '${APEX_PROTOBUF_C_SOURCE}', which holds no "
    "protobuf-c/protobuf-c.c: deploy/packages.sh fetches it (apex_protobuf_c_source)")
endif()
add_library(apex_protobuf_c STATIC ${APEX_PROTOBUF_C_SOURCE}/protobuf-c/protobuf-c.c)
target_include_directories(apex_protobuf_c SYSTEM PUBLIC ${APEX_PROTOBUF_C_SOURCE})
target_compile_options(apex_protobuf_c PRIVATE -w)

# Stands in for what apex_packages does for each package.
function(apex_wasi_package target visibility package)
  if(package STREQUAL libprotobuf-c)
    target_link_libraries(${target} ${visibility} apex_protobuf_c)
  elseif(NOT package STREQUAL libxxhash)
    message(FATAL_ERROR "${target} wants ${package}, which WebAssembly has not")
  endif()
endfunction()
