#include "report/line_chart.h"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <tuple>

#include "formats/text_encoding.h"
#include "report/axis.h"
#include "report/chart_lines.h"
#include "report/units.h"

namespace hone::report {

namespace {

constexpr int kWidth = 1000;
constexpr int kHeight = 600;
constexpr double kTitleSize = 18;
constexpr double kNameSize = 15;
constexpr double kTickSize = 13;
constexpr double kMargin = 24;
constexpr int kMostTicksX = 11;
constexpr int kMostTicksY = 9;

struct Colour {
  double red, green, blue;
};
constexpr Colour kInk = {0.15, 0.15, 0.17};
constexpr Colour kFaint = {0.40, 0.41, 0.44};
constexpr Colour kGrid = {0.90, 0.905, 0.915};
constexpr Colour kFrame = {0.62, 0.63, 0.66};
constexpr Colour kLine = {0x1f / 255.0, 0x77 / 255.0, 0xb4 / 255.0};

struct Destroy {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};

enum class Anchor { start, middle, end };

// A white picture and the few things that a chart needs to put on it.
class Picture {
 public:
  Picture()
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, kWidth, kHeight)),
        context_(cairo_create(surface_.get())) {
    colour({1, 1, 1});
    cairo_paint(context_.get());
    cairo_set_line_cap(context_.get(), CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
  }

  cairo_t* context() { return context_.get(); }

  void colour(const Colour& c, double opacity = 1) {
    cairo_set_source_rgba(context_.get(), c.red, c.green, c.blue, opacity);
  }

  void font(double size, bool bold = false) {
    cairo_select_font_face(context_.get(), "sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_.get(), size);
  }

  double width_of(const std::string& text) {
    cairo_text_extents_t extents;
    cairo_text_extents(context_.get(), text.c_str(), &extents);
    return extents.x_advance;
  }

  // y is the base line.
  void text(double x, double y, const std::string& text, Anchor anchor) {
    const double share = anchor == Anchor::start ? 0 : anchor == Anchor::middle ? 0.5 : 1;
    cairo_move_to(context_.get(), std::round(x - share * width_of(text)), y);
    cairo_show_text(context_.get(), text.c_str());
    cairo_new_path(context_.get());  // the pen stays behind the text; no line may start there
  }

  void straight(double x0, double y0, double x1, double y1, double width) {
    cairo_set_line_width(context_.get(), width);
    cairo_move_to(context_.get(), x0, y0);
    cairo_line_to(context_.get(), x1, y1);
    cairo_stroke(context_.get());
  }

  std::string png() {
    std::string bytes;
    const auto append = [](void* closure, const unsigned char* data, unsigned length) {
      static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
      return CAIRO_STATUS_SUCCESS;
    };
    check(cairo_status(context_.get()));
    cairo_surface_flush(surface_.get());
    check(cairo_surface_write_to_png_stream(surface_.get(), append, &bytes));
    return bytes;
  }

 private:
  static void check(cairo_status_t status) {
    if (status == CAIRO_STATUS_SUCCESS) return;
    throw std::runtime_error(std::string("Cairo: ") + cairo_status_to_string(status));
  }

  std::unique_ptr<cairo_surface_t, Destroy> surface_;
  std::unique_ptr<cairo_t, Destroy> context_;
};

// Sharp lines of one pixel lie on half coordinates.
double on_pixel(double coordinate) {
  return std::floor(coordinate) + 0.5;
}

std::string without_middle(const std::vector<std::string>& characters, std::size_t kept) {
  const std::size_t tail = kept - kept / 2;
  std::string text;
  for (std::size_t i = 0; i < kept / 2; ++i) text += characters[i];
  text += "...";
  for (std::size_t i = characters.size() - tail; i < characters.size(); ++i) text += characters[i];
  return text;
}

// The text, or as much of its two ends as fits into `room` pixels of the present font.
std::string fitted(Picture& picture, const std::string& text, double room) {
  if (picture.width_of(text) <= room) return text;
  std::vector<std::string> characters;
  for (const char byte : text) {
    const bool continues = (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u;
    if (continues && !characters.empty()) {
      characters.back() += byte;
    } else {
      characters.emplace_back(1, byte);
    }
  }
  std::size_t fits = 0;
  std::size_t too_long = characters.size();
  while (fits + 1 < too_long) {
    const std::size_t tried = (fits + too_long) / 2;
    const bool good = picture.width_of(without_middle(characters, tried)) <= room;
    (good ? fits : too_long) = tried;
  }
  return without_middle(characters, fits);
}

struct Frame {
  ChartArea area;
  Ticks x_ticks, y_ticks;
  std::vector<std::string> x_labels, y_labels;
};

Frame frame_of(Picture& picture, const LineChart& chart) {
  Frame frame;
  std::tie(frame.area.x, frame.area.y) = data_ranges(chart.series);
  frame.y_ticks = nice_ticks(frame.area.y, kMostTicksY, false);
  frame.x_ticks = nice_ticks(frame.area.x, kMostTicksX, true);
  frame.y_labels = tick_labels(frame.y_ticks);
  for (const double step : frame.x_ticks.values) {
    frame.x_labels.push_back(count_text(std::llround(step)));
  }
  picture.font(kTickSize);
  double widest = 0;
  for (const std::string& label : frame.y_labels) {
    widest = std::max(widest, picture.width_of(label));
  }
  frame.area.left = std::floor(kMargin + kNameSize + 14 + widest + 10);
  frame.area.right = kWidth - kMargin - 8;
  frame.area.top = kMargin + kTitleSize + 20;
  frame.area.bottom = kHeight - kMargin - kNameSize - kTickSize - 20;
  return frame;
}

void draw_axes(Picture& picture, const Frame& frame) {
  const ChartArea& area = frame.area;
  picture.font(kTickSize);
  for (std::size_t i = 0; i < frame.y_ticks.values.size(); ++i) {
    const double y = on_pixel(area.pixel_y(frame.y_ticks.values[i]));
    picture.colour(kGrid);
    picture.straight(area.left, y, area.right, y, 1);
    picture.colour(kFaint);
    picture.text(area.left - 10, std::round(y + kTickSize * 0.36), frame.y_labels[i], Anchor::end);
  }
  for (std::size_t i = 0; i < frame.x_ticks.values.size(); ++i) {
    const double x = on_pixel(area.pixel_x(frame.x_ticks.values[i]));
    picture.colour(kGrid);
    picture.straight(x, area.top, x, area.bottom, 1);
    picture.colour(kFrame);
    picture.straight(x, area.bottom, x, area.bottom + 5, 1);
    picture.colour(kFaint);
    picture.text(x, area.bottom + 10 + kTickSize, frame.x_labels[i], Anchor::middle);
  }
  picture.colour(kFrame);
  const double left = on_pixel(area.left);
  const double bottom = on_pixel(area.bottom);
  picture.straight(left, area.top, left, bottom, 1);
  picture.straight(left, bottom, area.right, bottom, 1);
}

void draw_names(Picture& picture, const LineChart& chart, const ChartArea& area) {
  const double centre = (area.left + area.right) / 2;
  picture.colour(kInk);
  picture.font(kTitleSize, true);
  const std::string title = formats::printable(chart.title, chart.title.size() * 4);
  picture.text(centre, kMargin + kTitleSize, fitted(picture, title, area.right - area.left),
               Anchor::middle);
  picture.font(kNameSize);
  picture.text(centre, kHeight - kMargin, chart.x_label, Anchor::middle);
  cairo_save(picture.context());
  cairo_translate(picture.context(), kMargin + kNameSize - 4, (area.top + area.bottom) / 2);
  cairo_rotate(picture.context(), -std::acos(-1.0) / 2);
  picture.text(0, 0, fitted(picture, chart.y_label, area.bottom - area.top), Anchor::middle);
  cairo_restore(picture.context());
}

void draw_mark(Picture& picture, const Pixel& at, double radius) {
  cairo_new_sub_path(picture.context());
  cairo_arc(picture.context(), at.x, at.y, radius, 0, 2 * std::acos(-1.0));
  cairo_fill(picture.context());
}

double mark_radius(const ChartSeries& series) {
  return series.line_width / 2 + 2.2;
}

void draw_series(Picture& picture, const ChartSeries& series, const ChartArea& area) {
  cairo_t* context = picture.context();
  picture.colour(kLine, series.opacity);
  cairo_set_line_width(context, series.line_width);
  for (const std::vector<Pixel>& piece : line_pieces(series.points, area)) {
    if (piece.size() > 1) {
      for (const Pixel& at : piece) cairo_line_to(context, at.x, at.y);
      cairo_stroke(context);
    }
    if (piece.size() > 1 && !series.mark_points) continue;
    // A point alone must be found at a glance.
    const double radius = mark_radius(series) + (piece.size() == 1 ? 1.5 : 0);
    for (const Pixel& at : piece) draw_mark(picture, at, radius);
  }
}

// A box in the corner where fewer points lie: a falling curve leaves the upper right free.
void draw_legend(Picture& picture, const LineChart& chart, const ChartArea& area) {
  constexpr double kRow = 24;
  constexpr double kSample = 34;
  constexpr double kPadding = 12;
  cairo_t* context = picture.context();
  picture.font(kTickSize + 1);
  double widest = 0;
  for (const ChartSeries& series : chart.series) {
    widest = std::max(widest, picture.width_of(series.label));
  }
  const double width = std::ceil(kPadding + kSample + 10 + widest + kPadding);
  const double height = kRow * static_cast<double>(chart.series.size()) + kPadding;
  const Corner corner = emptiest_corner(chart.series, area, width + 12, height + 12);
  const double left = on_pixel(corner.right ? area.right - width - 12 : area.left + 12);
  const double top = on_pixel(corner.bottom ? area.bottom - height - 12 : area.top + 12);
  picture.colour({1, 1, 1}, 0.85);
  cairo_rectangle(context, left, top, width, height);
  cairo_fill_preserve(context);
  picture.colour(kGrid);
  cairo_set_line_width(context, 1);
  cairo_stroke(context);
  double y = top + kPadding / 2 + kRow / 2;
  for (const ChartSeries& series : chart.series) {
    picture.colour(kLine, series.opacity);
    picture.straight(left + kPadding, y, left + kPadding + kSample, y, series.line_width);
    if (series.mark_points) {
      draw_mark(picture, {left + kPadding + kSample / 2, y}, mark_radius(series));
    }
    picture.colour(kInk);
    picture.text(left + kPadding + kSample + 10, std::round(y + 5), series.label, Anchor::start);
    y += kRow;
  }
}

}  // namespace

std::string render_png(const LineChart& chart) {
  Picture picture;
  const Frame frame = frame_of(picture, chart);
  draw_axes(picture, frame);
  draw_names(picture, chart, frame.area);
  for (const ChartSeries& series : chart.series) draw_series(picture, series, frame.area);
  draw_legend(picture, chart, frame.area);
  return picture.png();
}

}  // namespace hone::report
