#include "report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "formats/text_encoding.h"
#include "report/axis.h"
#include "report/chart_lines.h"
#include "report/units.h"

namespace hone::report {
namespace {

constexpr double kTickSize = 12;
constexpr int kMostTicksX = 9;
constexpr int kMostTicksY = 6;
// Of the digits of a tick's label, in parts of its size; a little more than most fonts need.
constexpr double kDigitWidth = 0.62;

ChartArea area_of(const std::vector<ChartSeries>& series, const SvgSize& size) {
  ChartArea area;
  std::tie(area.x, area.y) = data_ranges(series);
  double widest = 0;
  for (const std::string& label : tick_labels(nice_ticks(area.y, kMostTicksY, false))) {
    widest = std::max(widest, static_cast<double>(label.size()) * kTickSize * kDigitWidth);
  }
  area.left = std::ceil(widest) + 14;
  area.right = size.width - 14;
  area.top = 10;
  area.bottom = size.height - 28;
  return area;
}

std::string axes(const ChartArea& area) {
  std::string svg;
  const Ticks y_ticks = nice_ticks(area.y, kMostTicksY, false);
  const std::vector<std::string> y_labels = tick_labels(y_ticks);
  for (std::size_t i = 0; i < y_ticks.values.size(); ++i) {
    const double y = area.pixel_y(y_ticks.values[i]);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text class=\"tick\" x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        area.left, area.right, y, area.left - 8, y + kTickSize * 0.36, y_labels[i]);
  }
  for (const double step : nice_ticks(area.x, kMostTicksX, true).values) {
    const double x = area.pixel_x(step);
    svg += fmt::format(
        "<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
        "<text class=\"tick\" x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
        x, area.bottom, area.bottom + 5, area.bottom + 7 + kTickSize,
        count_text(std::llround(step)));
  }
  svg += fmt::format("<path class=\"axis\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>\n", area.left,
                     area.top, area.bottom, area.right);
  return svg;
}

std::string line(const SvgSeries& one, const ChartArea& area) {
  std::string path;
  std::string marks;
  for (const std::vector<Pixel>& piece : line_pieces(one.series.points, area)) {
    for (std::size_t i = 0; piece.size() > 1 && i < piece.size(); ++i) {
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", piece[i].x, piece[i].y);
    }
    if (piece.size() > 1 && !one.series.mark_points) continue;
    for (const Pixel& at : piece) {
      marks += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n",
                           one.style, at.x, at.y);
    }
  }
  if (!path.empty()) path = fmt::format("<path class=\"{}\" d=\"{}\"/>\n", one.style, path);
  return path + marks;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char letter : formats::printable(text, text.size() * 4)) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string svg_chart(const std::string& name, const std::vector<SvgSeries>& series,
                      const SvgSize& size) {
  std::vector<ChartSeries> all;
  bool any = false;
  for (const SvgSeries& one : series) {
    all.push_back(one.series);
    any = any || std::any_of(one.series.points.begin(), one.series.points.end(), drawable);
  }
  if (!any) return "<p class=\"nothing\">There is no value to draw.</p>\n";
  const ChartArea area = area_of(all, size);
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} over the steps\">\n",
                  size.width, size.height, escape_html(name));
  svg += axes(area);
  for (const SvgSeries& one : series) svg += line(one, area);
  return svg + "</svg>\n";
}

}  // namespace hone::report
