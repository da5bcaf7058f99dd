/* Vendors' libraries behind PAPI's components write to standard error when they find no device. What they say is in the component's
 * reason; the stream is the program's. */
#ifndef CM_COUNTING_QUIET_H
#define CM_COUNTING_QUIET_H

/* Sends standard error of the whole process to nowhere until cm_quiet_end gets what this returned (-1: nothing was done). For the
 * moment in which a component starts only. */
int cm_quiet_begin(void);
void cm_quiet_end(int kept);

#endif
