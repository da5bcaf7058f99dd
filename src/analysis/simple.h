/* The simplest number of an interval. */
#ifndef CM_ANALYSIS_SIMPLE_H
#define CM_ANALYSIS_SIMPLE_H

/* The number of the smallest denominator within `width` of `value`: an integer, 1/n, p/q with q up to 16; `value`
 * itself where there is none, or several of that denominator. */
double cm_snap(double value, double width);

/* The simplest number of value +- width: a power of two or ten, an integer, 1/n, p/q with q up to 16; `value` where
 * there is none, or where so wide an interval would hold one as simple by chance. */
double cm_simplest(double value, double width);

#endif
