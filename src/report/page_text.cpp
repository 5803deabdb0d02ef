#include "report/page_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "report/plots.h"
#include "report/svg_chart.h"
#include "report/units.h"

namespace hone::report {
namespace {

constexpr std::string_view kSeriesBegin = "<script type=\"application/json\" id=\"series\">";
constexpr std::string_view kSeriesEnd = "</script>";

// With more points than this, marks would touch each other.
constexpr std::size_t kMostMarks = 60;

// As wide as the page, where the others stand two by two.
constexpr SvgSize kWide = {1140, 300};

constexpr const char* kHead =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<style>\n"
    ":root { --paper: #ffffff; --ink: #1c1d22; --faint: #62656d; --grid: #e4e6ea;\n"
    "  --card: #f6f7f9; --line: #1f77b4; --other: #c2410c; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --paper: #15171b; --ink: #e7e9ee; --faint: #a0a5b0; --grid: #2b2f37;\n"
    "    --card: #1d2026; --line: #5fb0e6; --other: #f59e6c; }\n"
    "}\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0 auto; max-width: 1180px; padding: 24px; background: var(--paper);\n"
    "  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }\n"
    "h1 { font-size: 24px; margin: 0; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 16px; margin: 0 0 6px; }\n"
    "p { margin: 4px 0; }\n"
    ".state, .note, .nothing { color: var(--faint); }\n"
    ".charts { display: grid; gap: 16px; margin: 20px 0;\n"
    "  grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); }\n"
    "section { background: var(--card); border-radius: 8px; padding: 14px 16px; }\n"
    ".charts section:first-child { grid-column: 1 / -1; }\n"
    "main > section { margin: 16px 0; overflow-x: auto; }\n"
    "svg { display: block; width: 100%; height: auto; font-size: 12px; }\n"
    ".grid { stroke: var(--grid); }\n"
    ".axis { stroke: var(--faint); fill: none; }\n"
    ".tick { fill: var(--faint); }\n"
    "path.measured, path.smoothed, path.evaluated { fill: none; stroke-linejoin: round;\n"
    "  stroke-width: 2; stroke: var(--line); }\n"
    "path.faint { fill: none; stroke-width: 1.6; stroke: var(--line); opacity: 0.4; }\n"
    "path.evaluated { stroke: var(--other); }\n"
    "circle { fill: var(--line); }\n"
    "circle.faint { opacity: 0.4; }\n"
    "circle.evaluated { fill: var(--other); }\n"
    ".key { color: var(--faint); font-size: 13px; }\n"
    ".key b { display: inline-block; width: 22px; height: 3px; margin: 0 6px 3px 14px; }\n"
    "table { border-collapse: collapse; width: 100%; }\n"
    "th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0;\n"
    "  border-top: 1px solid var(--grid); overflow-wrap: anywhere; }\n"
    "tr:first-child > * { border-top: none; }\n"
    "th { font-weight: 600; width: 28%; }\n"
    "td:last-child { color: var(--faint); }\n"
    "footer { color: var(--faint); font-size: 13px; margin-top: 20px; }\n"
    "</style>\n";

using Reading = std::function<std::optional<double>(const SeriesPoint&)>;

std::vector<ChartPoint> read(const RunSeries& series, const Reading& reading) {
  std::vector<ChartPoint> points;
  for (const SeriesPoint& point : series.points()) {
    points.push_back({static_cast<double>(point.step), reading(point)});
  }
  return points;
}

SvgSeries drawn(std::vector<ChartPoint> points, const std::string& style, bool marked = false) {
  ChartSeries series;
  series.mark_points = marked;
  series.points = std::move(points);
  return {std::move(series), style};
}

std::string section(const std::string& name, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", name, body);
}

std::string one_line_chart(const RunSeries& series, const std::string& name,
                           const Reading& reading) {
  return section(name, svg_chart(name, {drawn(read(series, reading), "measured")}));
}

std::string key_of(const std::string& colour, const std::string& word) {
  return fmt::format("<b style=\"background: {}\"></b>{}", colour, word);
}

std::string loss_chart(const RunSeries& series) {
  std::vector<ChartPoint> measured = read(series, [](const SeriesPoint& p) { return p.loss; });
  std::vector<std::optional<double>> losses;
  for (const ChartPoint& point : measured) losses.push_back(point.y);
  const std::vector<std::optional<double>> calm = smoothed(losses);
  std::vector<ChartPoint> smooth = measured;
  for (std::size_t i = 0; i < smooth.size(); ++i) smooth[i].y = calm[i];
  std::vector<ChartPoint> evaluated;
  for (const EvaluationPoint& point : series.evaluations()) {
    evaluated.push_back({static_cast<double>(point.step), point.loss});
  }
  std::string keys = "<p class=\"key\">" + key_of("var(--line); opacity: 0.4", "each step") +
                     key_of("var(--line)", "smoothed");
  if (!evaluated.empty()) keys += key_of("var(--other)", "eval_loss");
  const bool few = evaluated.size() <= kMostMarks;
  return section(
      "Loss", svg_chart("Loss",
                        {drawn(std::move(measured), "faint"), drawn(std::move(smooth), "smoothed"),
                         drawn(std::move(evaluated), "evaluated", few)},
                        kWide) +
                  keys + "</p>\n");
}

std::string memory_chart(const RunSeries& series) {
  constexpr double kMebi = 1024.0 * 1024.0;
  constexpr double kGibi = kMebi * 1024.0;
  std::int64_t most = 0;
  for (const SeriesPoint& point : series.points()) most = std::max(most, point.memory_bytes);
  const bool large = static_cast<double>(most) >= kGibi;
  return one_line_chart(series, large ? "Memory of the process, GiB" : "Memory of the process, MiB",
                        [unit = large ? kGibi : kMebi](const SeriesPoint& p) {
                          return std::optional(static_cast<double>(p.memory_bytes) / unit);
                        });
}

std::string charts(const RunSeries& series) {
  std::string html = "<div class=\"charts\">\n" + loss_chart(series);
  html += one_line_chart(series, "Learning rate",
                         [](const SeriesPoint& p) { return std::optional(p.learning_rate); });
  html += one_line_chart(series, "Gradient norm, before clipping",
                         [](const SeriesPoint& p) { return p.grad_norm; });
  html += one_line_chart(series, "Tokens per second", [](const SeriesPoint& p) {
    return p.seconds > 0 ? std::optional(static_cast<double>(p.tokens) / p.seconds) : std::nullopt;
  });
  html += memory_chart(series) + "</div>\n";
  if (series.steps_per_point() > 1) {
    html += fmt::format(
        "<p class=\"note\">Each point stands for up to {} steps: the mean of their losses, the "
        "largest gradient norm and memory.</p>\n",
        series.steps_per_point());
  }
  return html;
}

std::string summary_section(const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string rows;
  for (const std::string& line : lines) {
    const std::size_t colon = std::min(line.find(": "), line.size());
    const std::string text = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n",
                        escape_html(line.substr(0, colon)), escape_html(text));
  }
  return section("The run", "<table>\n" + rows + "</table>\n");
}

std::string metrics_section(const Metrics& metrics) {
  if (metrics.empty()) return "";
  std::string rows;
  for (const Metric& metric : metrics) {
    const std::string text =
        is_number(metric.value) ? number_text(to_number(metric.value), 6) : "none";
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape_html(metric.key),
                        text);
  }
  return section("Results", "<table>\n" + rows + "</table>\n");
}

std::string settings_section(const std::vector<PageSetting>& settings) {
  if (settings.empty()) return "";
  std::string rows;
  for (const PageSetting& setting : settings) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n",
                        escape_html(setting.name), escape_html(setting.value),
                        escape_html(setting.origin));
  }
  return section("Settings", "<table>\n" + rows + "</table>\n");
}

// "<" ends a script element whatever stands before it; in a JSON text it is only within strings.
std::string embedded(std::string json) {
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
    json.replace(at, 1, "\\u003c");
  }
  return json;
}

}  // namespace

std::string page_text(const PageContent& content, const RunSeries& series) {
  const std::string title = escape_html(content.title);
  std::string html = kHead;
  html += fmt::format("<title>{}</title>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n", title, title);
  html += fmt::format("<p class=\"state\">{}</p>\n", escape_html(content.state));
  html += charts(series);
  html += metrics_section(content.metrics);
  html += summary_section(content.summary);
  html += settings_section(content.settings);
  html += fmt::format("</main>\n<footer>Made by hone {}.</footer>\n", escape_html(content.version));
  html += kSeriesBegin;
  html += embedded(series.to_json());
  html += kSeriesEnd;
  return html + "\n</body>\n</html>\n";
}

std::string series_in(std::string_view page) {
  const std::size_t begin = page.find(kSeriesBegin);
  if (begin == std::string_view::npos) return "";
  const std::string_view rest = page.substr(begin + kSeriesBegin.size());
  const std::size_t end = rest.find(kSeriesEnd);
  return end == std::string_view::npos ? "" : std::string(rest.substr(0, end));
}

}  // namespace hone::report
