// A line chart as an SVG element to stand in an HTML page, coloured by the page's style sheet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/line_chart.h"

namespace hone::report {

// Text as it may stand in an element or a quoted attribute of HTML: & < > " and ' are written as
// references; what is not UTF-8, and control characters, are shown as their escapes.
std::string escape_html(std::string_view text);

struct SvgSeries {
  ChartSeries series;
  std::string style;  // class of its lines and marks: "measured", "smoothed", "evaluated"
};

struct SvgSize {
  double width = 560;
  double height = 240;
};

// Steps to the right. The classes that a page must colour: chart's grid, axis, and tick, and those
// of the series. A chart without a point to draw is a sentence that says so.
std::string svg_chart(const std::string& name, const std::vector<SvgSeries>& series,
                      const SvgSize& size = {});

}  // namespace hone::report
