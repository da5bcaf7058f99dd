/* Paths of files. */
#ifndef CM_CORE_PATH_H
#define CM_CORE_PATH_H

/* "<directory>/<name><suffix>", or "<name><suffix>" if the directory is "". The caller frees it; NULL without
 * memory. */
char *cm_path_join(const char *folder, const char *name, const char *suffix);

#endif
