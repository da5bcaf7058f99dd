/* Everything that libcatmint-machines offers to programs: the limits of machines, and programs held against these.
 */
#ifndef CATMINT_MACHINES_H
#define CATMINT_MACHINES_H

#include <catmint/incore.h>
#include <catmint/ports.h>
#include <catmint/project.h>
#include <catmint/roofline.h>

#endif
