/* Marks the symbols that the shared library exports; all others are hidden. */
#ifndef CATMINT_API_H
#define CATMINT_API_H

#if defined(__GNUC__)
#define CM_API __attribute__((visibility("default")))
#define CM_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define CM_API
#define CM_PRINTF(format_index, first_argument)
#endif

#endif
