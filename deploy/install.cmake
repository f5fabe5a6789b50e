# What comes with the programs: their commit, manual pages and completion made of what they say with
# --help, and what an operator needs beside them.

set(APEX_COMMIT "" CACHE STRING "The commit that --version tells; empty: git is asked at each build")

set(apex_version_file ${CMAKE_BINARY_DIR}/version.c)
add_custom_target(apex_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUT=${apex_version_file}
    "-DCOMMIT=${APEX_COMMIT}" -P ${CMAKE_CURRENT_LIST_DIR}/version.cmake
  BYPRODUCTS ${apex_version_file}
  VERBATIM)
add_library(apex_version STATIC ${apex_version_file})
target_link_libraries(apex_version PRIVATE apex_warnings)
add_dependencies(apex_version apex_commit)

# apex_program(TARGET): installs it with its manual page and completion, which are made whenever it
# was linked, so that they are there for who builds nothing but the program.
set(apex_manuals ${CMAKE_CURRENT_LIST_DIR}/manuals)
function(apex_program target)
  target_link_libraries(${target} PRIVATE apex_version)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(APEX_SANITIZE OR CMAKE_CROSSCOMPILING)
    return()
  endif()
  set(page ${CMAKE_BINARY_DIR}/${target}.1)
  set(completion ${CMAKE_BINARY_DIR}/completions/${target})
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/completions)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${apex_manuals} man $<TARGET_FILE:${target}> ${PROJECT_VERSION} > ${page}
    COMMAND ${apex_manuals} completion $<TARGET_FILE:${target}> > ${completion}
    VERBATIM)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${apex_manuals})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endfunction()

# Found by systemd below /usr and /usr/local.
install(FILES ${CMAKE_CURRENT_LIST_DIR}/apex-server.service DESTINATION lib/systemd/system)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/apex.sysusers DESTINATION lib/sysusers.d RENAME apex.conf)
foreach(file IN ITEMS deploy/CHANGELOG.md deploy/nginx.conf deploy/Caddyfile deploy/prometheus.yml
    deploy/grafana-dashboard.json server/HOSTING.md server/OPERATING.md server/SECURITY.md
    client-lite/BOTS.md client-lite/LOADING.md proto/PROTOCOL.md LICENSE)
  install(FILES ${CMAKE_SOURCE_DIR}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/apex)
endforeach()
# The guides of cars, tracks and races have one name in the tree. What guides link to lies where
# their links lead.
foreach(kind IN ITEMS cars tracks races)
  string(TOUPPER ${kind} name)
  install(FILES ${CMAKE_SOURCE_DIR}/server/content/${kind}/README.md
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/apex RENAME ${name}.md)
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/server/api/API.md
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/apex/api)
foreach(picture IN ITEMS follow drive replay)
  install(FILES ${CMAKE_SOURCE_DIR}/server/web/page/screenshots/${picture}.png
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/apex/web/page/screenshots)
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/client-lite/pictures/side-by-side.svg
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/apex/pictures)
