#include "report/chart_lines.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/error.h"

namespace hone::report {

namespace {

constexpr double kAirX = 0.025;
constexpr double kAirY = 0.06;

// Four points of each pixel column are kept, in the order of the line.
std::vector<Pixel> thinned(const std::vector<Pixel>& piece) {
  std::vector<Pixel> kept;
  std::size_t begin = 0;
  while (begin < piece.size()) {
    std::size_t end = begin + 1;
    std::size_t lowest = begin;
    std::size_t highest = begin;
    for (; end < piece.size() && std::floor(piece[end].x) == std::floor(piece[begin].x); ++end) {
      if (piece[end].y < piece[lowest].y) lowest = end;
      if (piece[end].y > piece[highest].y) highest = end;
    }
    std::vector<std::size_t> chosen = {begin, lowest, highest, end - 1};
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    for (const std::size_t index : chosen) kept.push_back(piece[index]);
    begin = end;
  }
  return kept;
}

}  // namespace

double ChartArea::pixel_x(double value) const {
  return left + (value - x.low) / (x.high - x.low) * (right - left);
}

double ChartArea::pixel_y(double value) const {
  return bottom - (value - y.low) / (y.high - y.low) * (bottom - top);
}

bool drawable(const ChartPoint& point) {
  return point.y && std::abs(*point.y) <= static_cast<double>(std::numeric_limits<float>::max());
}

std::pair<Range, Range> data_ranges(const std::vector<ChartSeries>& series) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Range x = {kInfinity, -kInfinity};
  Range y = x;
  for (const ChartSeries& one : series) {
    for (const ChartPoint& point : one.points) {
      if (!drawable(point)) continue;
      x = {std::min(x.low, point.x), std::max(x.high, point.x)};
      y = {std::min(y.low, *point.y), std::max(y.high, *point.y)};
    }
  }
  HONE_ASSERT(x.low <= x.high, "no point to draw");
  // A single step stands in the middle of its neighbours.
  if (x.low == x.high) return {{x.low - 1, x.high + 1}, with_air(y.low, y.high, kAirY)};
  return {with_air(x.low, x.high, kAirX), with_air(y.low, y.high, kAirY)};
}

std::vector<std::vector<Pixel>> line_pieces(const std::vector<ChartPoint>& points,
                                            const ChartArea& area) {
  std::vector<std::vector<Pixel>> pieces;
  bool open = false;
  for (const ChartPoint& point : points) {
    if (!drawable(point)) {
      open = false;
      continue;
    }
    if (!open) pieces.emplace_back();
    open = true;
    pieces.back().push_back({area.pixel_x(point.x), area.pixel_y(*point.y)});
  }
  const double columns = std::max(1.0, area.right - area.left);
  for (std::vector<Pixel>& piece : pieces) {
    if (static_cast<double>(piece.size()) > 4 * columns) piece = thinned(piece);
  }
  return pieces;
}

Corner emptiest_corner(const std::vector<ChartSeries>& series, const ChartArea& area, double width,
                       double height) {
  const Corner corners[] = {{true, false}, {false, false}, {false, true}, {true, true}};
  Corner best = corners[0];
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const Corner& corner : corners) {
    std::size_t covered = 0;
    for (const ChartSeries& one : series) {
      for (const ChartPoint& point : one.points) {
        if (!drawable(point)) continue;
        const double x = area.pixel_x(point.x);
        const double y = area.pixel_y(*point.y);
        const bool inside_x = corner.right ? x > area.right - width : x < area.left + width;
        const bool inside_y = corner.bottom ? y > area.bottom - height : y < area.top + height;
        covered += inside_x && inside_y ? 1u : 0u;
      }
    }
    if (covered < fewest) {
      fewest = covered;
      best = corner;
    }
  }
  return best;
}

}  // namespace hone::report
