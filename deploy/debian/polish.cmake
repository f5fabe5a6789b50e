# What Debian wants of documentation, done to what is packed: manual pages and changelogs are
# compressed, the licence is named copyright, and the packaging has a changelog of its own.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_DIRECTORY}/usr/share/man/*.1)
set(documents ${CPACK_TEMPORARY_DIRECTORY}/usr/share/doc/apex)
file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
file(RENAME ${documents}/LICENSE ${documents}/copyright)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${documents}/changelog.Debian
"${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Built from the project's own sources; changelog.gz says what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
execute_process(COMMAND gzip -9n ${pages} ${documents}/changelog ${documents}/changelog.Debian
  COMMAND_ERROR_IS_FATAL ANY)
