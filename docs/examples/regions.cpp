// A region of a C++ program, counted from its construction to the end of its block, by exceptions too:
//
//   c++ regions.cpp -lcatmint -o regions
//   catmint count --regions --results results.json --metrics "DP Ops." -- ./regions
#include <cstdio>
#include <vector>

#include <catmint/count.h>

class Region {
public:
    explicit Region(const char *name) : name_(name) { cm_count_start(name_); }
    ~Region() { cm_count_stop(name_); }
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;

private:
    const char *name_;
};

static double dot(const std::vector<double> &a, const std::vector<double> &b)
{
    Region region("dot");
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); i++)
        sum += a[i] * b[i];
    return sum;
}

int main()
{
    const std::vector<double> a(1000, 0.5), b(1000, 2.0);
    std::printf("%g\n", dot(a, b));
    return 0;
}
