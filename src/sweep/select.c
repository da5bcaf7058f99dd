#include "sweep/select.h"

#include <fnmatch.h>

bool cm_glob_fits(const char *glob, const char *name)
{
    return fnmatch(glob[0] == '!' ? glob + 1 : glob, name, 0) == 0;
}

bool cm_selected(const char *name, const char *const *globs, size_t count)
{
    bool only_exclusions = true, included = false;
    for (size_t i = 0; i < count; i++) {
        bool excludes = globs[i][0] == '!';
        if (excludes && cm_glob_fits(globs[i], name))
            return false;
        if (!excludes) {
            only_exclusions = false;
            included = included || cm_glob_fits(globs[i], name);
        }
    }
    return only_exclusions || included;
}
