// A line chart as a PNG picture, drawn with Cairo.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone::report {

struct ChartPoint {
  double x = 0;
  // Nothing, or no finite f32: a gap in the line.
  std::optional<double> y;
};

struct ChartSeries {
  std::string label;
  std::vector<ChartPoint> points;  // x does not descend
  double opacity = 1;
  double line_width = 2;     // in pixels
  bool mark_points = false;  // points without neighbours are marked in any case
};

// All series have one colour and one pair of axes. x counts something, so its ticks are whole.
struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartSeries> series;
};

// 1000 x 600 pixels. At least one point must have a y. Text that is not UTF-8 is shown with a mark
// in place of each bad byte. A machine without fonts gets Cairo's built-in stroke font.
// Throws std::runtime_error when Cairo fails, which it does for want of memory only.
std::string render_png(const LineChart& chart);

}  // namespace hone::report
