/* The lists *_fields.h as functions: set_TABLE(filled, ...) sets the members whose rows have a value. */
#define BEGIN(table, ...)                                                                                              \
    static inline void set_##table(OF *filled, __VA_ARGS__)                                                            \
    {
#define PLAIN(table)                                                                                                   \
    static inline void set_##table(OF *filled)                                                                         \
    {                                                                                                                  \
        (void)filled;
#define VALUE(kind_, name_, member, value, ...) filled->member = value;
#define VALUES(kind_, name_, member, value, counted, number_, ...)                                                     \
    filled->member = value;                                                                                            \
    filled->counted = number_;
#define UNWRITTEN(member, value) filled->member = value;
#define LATER(...)
#define END(table, ...) }
#define SHARED(table, ...) }
