/* The fields of the law's verdict on a definition. */

#define OF cm_defined_leak
BEGIN(leak, const cm_law_leak *from, const char *words)
VALUE(TEXT, "fact", fact, words, .says = "A fact, a sum of facts or the lesser of two, min(a, b).")
VALUE(FIGURE, "at_most", at_most, from->at_most, UNKNOWN)
VALUE(BOOL, "found", found, from->found, .rules = CM_OPTIONAL, .number = 1.0,
      .says = "True: the leak was found, and acts together with all others found. False: the kernels leave it "
              "open, and one at a time may act.")
END(leak)
#undef OF

#define OF cm_defined_range
BEGIN(range, const char *fact, const char *per, double share)
VALUE(TEXT, "fact", fact, fact, .says = "The meaning of the metric: a fact, or a sum of facts.")
VALUE(TEXT, "per", per, per, .says = "As `fact` of `leaks`.")
VALUE(FIGURE, "share", share, share)
END(range)
#undef OF

#define OF cm_defined_metric
BEGIN(law, const cm_law_verdict *verdict, bool usable)
LATER(TEXTS, "also_counts", also_counts, COUNT(also_count), .rules = CM_OPTIONAL,
      .says = "Facts on which vendors disagree and which the definition counts beside its metric, in words: minima "
              "and maxima, comparisons. No part of the verdict.")
LATER(ITEMS, "leaks", leaks, COUNT(leak_count), .rules = CM_OPTIONAL, .of = &leak_fields,
      .says = "Other facts that the definition may count, at most so much an occurrence, by which it may be off in "
              "some natural program.")
LATER(ITEMS, "open", open, COUNT(open_count), .rules = CM_OPTIONAL, .of = &leak_fields,
      .says = "Leaks that matter less: half a percent of the metric or more in some natural program. A fact that "
              "the kernels determine worse than to a twentieth of the metric's weight is not listed, unless vendors "
              "disagree on it and the definition counts it (`found`).")
VALUE(FIGURE, "rest", rest, verdict != NULL && usable ? verdict->rest : NAN, UNKNOWN_BEFORE,
      .says = "The sum of all leaks that are neither in `leaks` nor in `open`: at most so much an instruction in "
              "natural programs. Null as `own`.")
VALUE(FIGURE, "own", own, verdict != NULL && usable ? verdict->own : NAN, UNKNOWN_BEFORE,
      .says = "The largest relative miscount of each of the metric's own facts; null: no definition holds, or the "
              "law did not judge it.")
LATER(ITEMS, "valid_above", ranges, COUNT(range_count), .rules = CM_OPTIONAL | CM_NULLABLE, .of = &range_fields,
      .says = "The definition holds within 10 % in programs in which the metric, `fact`, is at least `share` of "
              "`per`, for all entries; null: it holds in every class of natural programs, or nothing is known.")
LATER(FIGURE, "valid_share", range_share, UNKNOWN_BEFORE,
      .says = "The share of natural programs in which all of `valid_above` holds, among those in which the metric "
              "is not 0; null without ranges.")
SHARED(law)
#undef OF
