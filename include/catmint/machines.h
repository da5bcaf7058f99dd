/* Everything that libcatmint-machines offers to programs: what machines can do at most, and programs held against that.
 */
#ifndef CATMINT_MACHINES_H
#define CATMINT_MACHINES_H

#include <catmint/incore.h>
#include <catmint/project.h>
#include <catmint/roofline.h>

#endif
