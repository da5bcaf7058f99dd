# Installs BUILD into PREFIX, which holds nothing else then.
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}" COMMAND_ERROR_IS_FATAL ANY)

foreach(file IN ITEMS bin/catmint share/man/man1/catmint.1 share/man/man1/catmint-discover.1 share/zsh/site-functions/_catmint
        share/bash-completion/completions/catmint share/fish/vendor_completions.d/catmint.fish
        share/man/man5/catmint-formats.5 share/man/man3/libcatmint.3 share/catmint/schemas/catmint.metrics-1.schema.json
        share/doc/catmint/examples/count_metric.c)
    file(SIZE "${PREFIX}/${file}" size)
    if(size EQUAL 0)
        message(FATAL_ERROR "${PREFIX}/${file} is empty")
    endif()
endforeach()
