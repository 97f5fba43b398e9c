# Puts the page of reports (src/report/page) into one file of string literals, which the library includes.
set(page_folder ${PROJECT_SOURCE_DIR}/src/report/page)
file(GLOB page_scripts CONFIGURE_DEPENDS ${page_folder}/*.js)
list(SORT page_scripts)
set(page_inputs ${page_folder}/report.html ${page_folder}/report.css ${page_scripts})
set(page_text ${PROJECT_BINARY_DIR}/generated/millrace/report/page_text.inc)
add_custom_command(
  OUTPUT ${page_text}
  COMMAND ${CMAKE_COMMAND} -D "folder=${page_folder}" -D "output=${page_text}"
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  DEPENDS ${page_inputs} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  COMMENT "Putting the page of reports together")
target_sources(millrace PRIVATE ${page_text})
