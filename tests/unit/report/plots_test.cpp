#include "report/plots.h"

#include <cairo.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "base/error.h"
#include "formats/file_system.h"
#include "formats/regular_file.h"
#include "unit/report/recording.h"

namespace hone::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<std::optional<double>>;

// Counted in a picture that was read back: the size, and pixels that are near the line's colour.
struct Seen {
  int width = 0;
  int height = 0;
  int line_pixels = 0;   // of full opacity
  int title_pixels = 0;  // dark ones above the axes
  std::set<std::uint32_t> colours;
};

Seen look_at(const std::string& file) {
  cairo_surface_t* surface = cairo_image_surface_create_from_png(file.c_str());
  EXPECT_EQ(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
  Seen seen;
  seen.width = cairo_image_surface_get_width(surface);
  seen.height = cairo_image_surface_get_height(surface);
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < seen.height; ++y) {
    for (int x = 0; x < seen.width; ++x) {
      const auto* pixel = reinterpret_cast<const std::uint32_t*>(data + y * stride) + x;
      seen.colours.insert(*pixel & 0xffffffu);
      seen.title_pixels += y < 50 && (*pixel & 0xffu) < 0x80u ? 1 : 0;
      seen.line_pixels += (*pixel & 0xffffffu) == 0x1f77b4u ? 1 : 0;
    }
  }
  cairo_surface_destroy(surface);
  return seen;
}

std::vector<LogEntry> history_of(const Values& values, const std::string& key = "loss") {
  std::vector<LogEntry> history;
  for (const auto& value : values) {
    const auto step = static_cast<std::int64_t>(history.size() + 1);
    history.push_back({step, 0, {{key, value ? Measured(*value) : Measured()}}});
  }
  return history;
}

TEST(PlotKeys, AreWhatWasMeasured) {
  EXPECT_EQ(plot_keys({}), (std::vector<std::string>{"loss", "eval_loss"}));
  const std::vector<LogEntry> history = {
      {1, 0, {{"loss", 1.0}, {"grad_norm", 1.0}}},
      {2, 0, {{"eval_zh_loss", 1.0}, {"eval_zh_runtime", 1.0}, {"eval_loss_batch_mean", 1.0}}},
      {2, 0, {{"eval_en_loss", 1.0}, {"eval_en_accuracy", 1.0}}},
      {4, 0, {{"eval_zh_loss", 1.0}, {"train_loss", 1.0}}}};
  EXPECT_EQ(plot_keys(history),
            (std::vector<std::string>{"loss", "eval_zh_loss", "eval_en_loss", "eval_en_accuracy"}));
}

TEST(Smoothed, FollowsTheFormula) {
  const Values result = smoothed({2.5, 2.0, 1.0, 1.5});
  const double expected[] = {2.5, 2.04485059758123, 1.0937243473692473, 1.4635565883936128};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(*result[i], expected[i], 1e-15);
}

TEST(Smoothed, JumpsOverGapsAndCountsValuesOnly) {
  const Values result = smoothed({2.5, std::nullopt, 2.0, kNan, 1.0, 1.5, std::nullopt});
  const Values dense = smoothed({2.5, 2.0, 1.0, 1.5});
  EXPECT_EQ(result, (Values{dense[0], std::nullopt, dense[1], std::nullopt, dense[2], dense[3],
                            std::nullopt}));
  EXPECT_TRUE(smoothed({}).empty());
  EXPECT_EQ(smoothed({std::nullopt}), Values{std::nullopt});
}

TEST(MetricChart, HasTheTwoLinesOfTheField) {
  const auto chart = metric_chart(history_of({2.0, 1.0}), "loss", "saves/x");
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->title, "training loss of saves/x");
  EXPECT_EQ(chart->x_label, "step");
  EXPECT_EQ(chart->y_label, "loss");
  ASSERT_EQ(chart->series.size(), 2u);
  EXPECT_EQ(chart->series[0].label, "original");
  EXPECT_EQ(chart->series[0].opacity, 0.4);
  EXPECT_EQ(chart->series[1].label, "smoothed");
  EXPECT_EQ(chart->series[1].opacity, 1);
  EXPECT_EQ(chart->series[0].points[1].x, 2);
  EXPECT_EQ(chart->series[0].points[1].y, 1.0);
}

TEST(MetricChart, TakesTheEntriesThatHoldTheKey) {
  std::vector<LogEntry> history = history_of({2.0, 1.0});
  history.push_back({2, 0, {{"eval_loss", 1.5}}});
  history.push_back({2, 0, {{"train_loss", 1.5}}});
  EXPECT_EQ(metric_chart(history, "loss", "x")->series[0].points.size(), 2u);
  EXPECT_EQ(metric_chart(history, "eval_loss", "x")->series[0].points.size(), 1u);
  EXPECT_FALSE(metric_chart(history, "eval_accuracy", "x"));
}

TEST(MetricChart, OfNullsOnlyIsNone) {
  EXPECT_FALSE(metric_chart(history_of({std::nullopt, kNan}), "loss", "x"));
}

TEST(Plots, NamesHaveNoSlash) {
  EXPECT_EQ(plot_file_name("loss"), "training_loss.png");
  EXPECT_EQ(plot_file_name("rewards/chosen"), "training_rewards_chosen.png");
}

class WritePlots : public testing::Test {
 protected:
  void write(const std::vector<LogEntry>& history, const std::vector<std::string>& keys) {
    formats::PosixFileSystem files;
    write_plots(history, keys, folder_.path(), files, log_);
  }

  Seen picture_of(const Values& values) {
    write(history_of(values), {"loss"});
    EXPECT_EQ(log_.lines,
              std::vector<std::string>{"Figure saved at: " + folder_.file("training_loss.png")});
    return look_at(folder_.file("training_loss.png"));
  }

  TemporaryFolder folder_;
  RecordingLog log_;
};

TEST_F(WritePlots, DrawsACurve) {
  Values values;
  for (int i = 0; i < 200; ++i) values.push_back(0.5 + 2 * std::exp(-i / 30.0) + 0.1 * (i % 3));
  const Seen seen = picture_of(values);
  EXPECT_EQ(seen.width, 1000);
  EXPECT_EQ(seen.height, 600);
  EXPECT_GT(seen.line_pixels, 800);
  EXPECT_GT(seen.colours.size(), 50u);
}

TEST_F(WritePlots, OnePointIsSeen) {
  // The legend's sample line has some 34 x 2 pixels of that colour.
  EXPECT_GT(picture_of({2.5}).line_pixels, 34 * 2 + 20);
}

TEST_F(WritePlots, EqualLossesAreALine) {
  EXPECT_GT(picture_of({0.7, 0.7, 0.7}).line_pixels, 600);
}

TEST_F(WritePlots, ZeroLossesAreALine) {
  EXPECT_GT(picture_of({0.0, 0.0}).line_pixels, 600);
}

TEST_F(WritePlots, ANullIsAGapAndNotZero) {
  // Without the gap a line of 900 pixels would join the two.
  const Seen seen = picture_of({0.7, std::nullopt, 0.6});
  EXPECT_LT(seen.line_pixels, 400);
  EXPECT_GT(seen.line_pixels, 34 * 2 + 40);
}

TEST_F(WritePlots, ExtremeValuesAreDrawn) {
  EXPECT_GT(picture_of({1e-30, 3e38, -3e38, 1e300, kNan, 5.0}).line_pixels, 200);
}

TEST_F(WritePlots, NothingToDrawIsALineAndNoFile) {
  write({}, {"loss", "eval_loss"});
  EXPECT_EQ(log_.lines,
            (std::vector<std::string>{
                "warning: No metric loss to plot: no log entry has a value for it, so there is no "
                "training_loss.png.",
                "warning: No metric eval_loss to plot: no log entry has a value for it, so there "
                "is no training_eval_loss.png."}));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(WritePlots, OneMissingMetricDoesNotStopTheNext) {
  write(history_of({1.0, 2.0}, "eval_loss"), {"loss", "eval_loss"});
  ASSERT_EQ(log_.lines.size(), 2u);
  EXPECT_EQ(log_.lines[1], "Figure saved at: " + folder_.file("training_eval_loss.png"));
}

TEST_F(WritePlots, AFolderThatCannotBeWrittenIsAWarning) {
  formats::PosixFileSystem files;
  const std::string nowhere = folder_.file("nowhere");
  write_plots(history_of({1.0}), {"loss"}, nowhere, files, log_);
  ASSERT_EQ(log_.lines.size(), 1u);
  EXPECT_EQ(log_.lines[0], "warning: No picture of loss: " + nowhere +
                               "/training_loss.png could not be written (No such file or "
                               "directory). The model is not touched by that.");
}

// The superuser, as whom tests may run, is never refused; so the refusal is played.
class ReadOnlyFileSystem final : public formats::FileSystem {
 public:
  Handle create(const std::filesystem::path& file) override {
    throw UserError(formats::system_fault("open", file, EACCES));
  }
  void write(Handle, const std::filesystem::path&, std::span<const std::byte>) override {}
  void sync(Handle, const std::filesystem::path&) override {}
  void close(Handle) override {}
  void rename(const std::filesystem::path&, const std::filesystem::path&) override {}
  void remove(const std::filesystem::path&) override {}
  void create_folder(const std::filesystem::path&) override {}
  void sync_folder(const std::filesystem::path&) override {}
};

TEST_F(WritePlots, AReadOnlyFolderIsAWarning) {
  ReadOnlyFileSystem files;
  write_plots(history_of({1.0}), {"loss", "loss"}, "/r", files, log_);
  ASSERT_EQ(log_.lines.size(), 2u);
  EXPECT_EQ(log_.lines[0],
            "warning: No picture of loss: /r/training_loss.png could not be written (Permission "
            "denied). The model is not touched by that.");
}

TEST_F(WritePlots, TitlesOfAnyBytesAndLengthAreDrawn) {
  for (const std::string& name : {std::string("\xff\xfe\x80"), std::string(5000, 'x'),
                                  std::string("\xc3\xa9\xe4\xb8\xad\n\t"), std::string()}) {
    const auto chart = metric_chart(history_of({1.0, 2.0}), "loss", name);
    EXPECT_EQ(render_png(*chart).substr(1, 3), "PNG");
  }
}

TEST_F(WritePlots, TextIsThereWithAndWithoutFonts) {
  EXPECT_GT(picture_of({1.0, 2.0}).title_pixels, 300);
  // Fonts are looked up once in a process, so the machine without any is another process.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto draw_without_fonts = [this] {
    put(folder_.file("fonts.conf"), "<?xml version=\"1.0\"?><fontconfig></fontconfig>");
    ::setenv("FONTCONFIG_FILE", folder_.file("fonts.conf").c_str(), 1);
    put(folder_.file("bare.png"), render_png(*metric_chart(history_of({1.0}), "loss", "saves/x")));
    const bool has_text = look_at(folder_.file("bare.png")).title_pixels > 300;
    std::filesystem::remove_all(folder_.path());
    std::exit(has_text ? 0 : 1);
  };
  EXPECT_EXIT(draw_without_fonts(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace hone::report
