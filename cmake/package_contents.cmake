# Read by CPack once for each kind of package: what goes into it.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_COMPONENTS_ALL command documents licences)
else()
  set(CPACK_COMPONENTS_ALL portable documents licences)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
