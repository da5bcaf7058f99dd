/* Numbers for terms and counts, by which those that were read or judged before are found. */
#include "law/law.h"

uint64_t cm_number_of_terms(size_t metric, const cm_term *terms, size_t count)
{
    uint64_t sum = metric;
    for (size_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &terms[k].coefficient, sizeof bits);
        bits = (bits ^ (bits >> 31)) * 0x9e3779b97f4a7c15u + terms[k].event + 1;
        bits = (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9u + metric;
        sum += (bits ^ (bits >> 32)) * 0x94d049bb133111ebu;
    }
    return sum;
}

uint64_t cm_number_of_values(uint64_t sum, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return sum;
}

uint64_t cm_number_of_counts(size_t metric, const cm_law_counts *counts, size_t kernels, double amplification)
{
    size_t facts = cm_fact_count();
    const double first[] = {(double)metric, (double)counts->term_count, amplification, counts->read != NULL};
    uint64_t sum = cm_number_of_values(0, first, CM_COUNT_OF(first));
    sum = cm_number_of_values(sum, counts->values, kernels);
    sum = cm_number_of_values(sum, counts->variances, kernels);
    sum = cm_number_of_values(sum, counts->strays, kernels);
    for (size_t i = 0; i < counts->term_count && counts->read != NULL; i++) {
        sum = cm_number_of_values(sum, &counts->terms[i].coefficient, 1);
        sum = cm_number_of_values(sum, counts->terms[i].facts, facts + 1);
        sum = cm_number_of_values(sum, counts->terms[i].most, facts);
    }
    return sum;
}
