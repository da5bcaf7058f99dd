/* Doubles as short decimal text, fast, the same in every locale. */
#ifndef CM_CORE_SHORTEST_H
#define CM_CORE_SHORTEST_H

#include <stddef.h>

enum { CM_SHORTEST_SIZE = 32 };

/* The first of %.15g, %.16g and %.17g that is read as the same double; a point separates. `value` must be finite.
 * Returns the length. */
size_t cm_shortest_write(double value, char text[CM_SHORTEST_SIZE]);

#endif
