// From the points of a chart to pixels: the ranges they need, where they lie, and which of them
// are worth drawing. Knows nothing of how lines get onto a picture.
#pragma once

#include <utility>
#include <vector>

#include "report/axis.h"
#include "report/line_chart.h"

namespace hone::report {

struct Pixel {
  double x = 0;
  double y = 0;
};

// The rectangle between the axes, in pixels (y downwards), and the values it spans.
struct ChartArea {
  double left = 0, right = 1, top = 0, bottom = 1;
  Range x, y;

  double pixel_x(double value) const;
  double pixel_y(double value) const;
};

// True for a point that can be drawn: it has a value, and that is a finite f32.
bool drawable(const ChartPoint& point);

// The ranges of x and y over all drawable points of all series, with air. Asserts that there is
// at least one.
std::pair<Range, Range> data_ranges(const std::vector<ChartSeries>& series);

// The line of a series, cut at its gaps; no piece is empty. A piece with many points per pixel
// column keeps the first, lowest, highest and last of each column, which looks the same.
std::vector<std::vector<Pixel>> line_pieces(const std::vector<ChartPoint>& points,
                                            const ChartArea& area);

struct Corner {
  bool right = true;
  bool bottom = false;
};

// The corner of the area where a box of that size covers the fewest points; among equals the
// upper right, then upper left, lower left, lower right.
Corner emptiest_corner(const std::vector<ChartSeries>& series, const ChartArea& area, double width,
                       double height);

}  // namespace hone::report
