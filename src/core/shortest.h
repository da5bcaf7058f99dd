/* Writes doubles as short decimal text, fast, the same in every locale. */
#ifndef CM_CORE_SHORTEST_H
#define CM_CORE_SHORTEST_H

#include <stddef.h>

enum { CM_SHORTEST_SIZE = 32 };

/* Writes the first of %.15g, %.16g and %.17g that reads back as the same double, with a point as separator. `value`
 * must be finite. Returns the length. */
size_t cm_shortest_write(double value, char text[CM_SHORTEST_SIZE]);

#endif
