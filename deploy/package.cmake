# cpack -G DEB in the build folder: a Debian package with the programs, the service and its user,
# and a race file in /etc/apex.
set(apex_debian ${CMAKE_CURRENT_LIST_DIR}/debian)

# In the package alone: who installs below /usr/local writes a race file of his own.
install(CODE "
  set(folder \"\$ENV{DESTDIR}/etc/apex\")
  file(MAKE_DIRECTORY \"\${folder}\")
  execute_process(COMMAND \"${CMAKE_BINARY_DIR}/apex-server\" default race
    OUTPUT_FILE \"\${folder}/race.yaml\" COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD \"\${folder}/race.yaml\" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)"
  COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME apex)
set(CPACK_PACKAGE_VENDOR "The Apex authors")
set(CPACK_PACKAGE_CONTACT "The Apex authors <apex@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "server and clients for networked car races")
set(CPACK_PACKAGE_DESCRIPTION
"Apex hosts car races: one authoritative server steps every car with real car
physics and sends what happens to thin clients, which send only their controls.
.
The package has the server with its live page, where browsers watch and drive,
the client for bots, load tests and watching on a terminal, and a service.")
set(CPACK_STRIP_FILES ON)
# Absolute places: /etc.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS
  "${CMAKE_BINARY_DIR};apex;ALL;/;${CMAKE_BINARY_DIR};apex;debian;/")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${apex_debian}/polish.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libwebsockets loads its half for libuv by name, so no tool sees it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "libwebsockets-evlib-uv, systemd | systemd-standalone-sysusers | systemd-sysusers")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${apex_debian}/postinst ${apex_debian}/prerm ${apex_debian}/postrm ${apex_debian}/conffiles)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
