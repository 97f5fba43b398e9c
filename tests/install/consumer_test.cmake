# Installs the build tree, moves it (nothing in it may depend on its location), and builds a project that uses it.
# Needs: build, version, generator, compiler, work.

macro(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output COMMAND_ECHO STDOUT ECHO_OUTPUT_VARIABLE
    COMMAND_ERROR_IS_FATAL ANY)
endmacro()
macro(expect text)
  if(NOT output MATCHES "${text}")
    message(FATAL_ERROR "expected '${text}' in the output, found: ${output}")
  endif()
endmacro()

file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/installed)
file(RENAME ${work}/installed ${work}/prefix)

run(${work}/prefix/bin/millrace --version)
expect(${version})
foreach(file man/man1/millrace.1 man/man1/millrace-run-pagerank.1 bash-completion/completions/millrace
        zsh/site-functions/_millrace fish/vendor_completions.d/millrace.fish doc/millrace/copyright)
  if(NOT EXISTS ${work}/prefix/share/${file})
    message(FATAL_ERROR "share/${file} was not installed")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${work}/consumer -G ${generator}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/consumer)
run(${work}/prefix/bin/millrace generate rmat --scale 8 -o ${work}/g.store)
run(${work}/consumer/consumer ${work}/g.store)
expect("vertex [0-9]+ has rank 0\\.")
