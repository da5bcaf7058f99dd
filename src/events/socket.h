/* Recognises events that count for a whole socket by their names: uncore_imc::UNC_M_CAS_COUNT:RD,
 * amd_umc:event=0x0a,rdwrmask=0x01. */
#ifndef CM_EVENTS_SOCKET_H
#define CM_EVENTS_SOCKET_H

#include <stdbool.h>

/* Whether the PMU of the name is one that drivers of Linux or libpfm4 have for a socket. */
bool cm_is_socket_event(const char *event);

#endif
