/* The simplest number of an interval. */
#ifndef CM_ANALYSIS_SIMPLE_H
#define CM_ANALYSIS_SIMPLE_H

/* The simplest number of value +- width: a power of two or ten, an integer, 1/n, p/q with q up to 16; `value` where
 * there is none, or where so wide an interval would hold one as simple by chance. */
double cm_snap(double value, double width);

/* The same; where that is `value`, without the digits behind the point that the interval says nothing about. */
double cm_simplest(double value, double width);

#endif
