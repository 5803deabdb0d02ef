#include "report/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "report/units.h"

namespace hone::report {

namespace {

constexpr int kWidestBar = 30;
constexpr int kNarrowestBar = 6;

enum class Part { step, bar, percentage, activity, loss, learning_rate, rate, time_left };

// What goes first when room is short.
constexpr Part kDispensable[] = {Part::learning_rate, Part::bar,  Part::percentage,
                                 Part::activity,      Part::loss, Part::time_left};

struct Piece {
  Part part;
  std::string text;
};

double done_share(const ProgressState& state) {
  if (state.total_steps <= 0) return 0;
  const double done = static_cast<double>(state.step) + std::clamp(state.part, 0.0, 1.0);
  return std::clamp(done / static_cast<double>(state.total_steps), 0.0, 1.0);
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

// A line that grows by half characters; in ASCII, by whole ones.
std::string bar(double share, int columns, bool utf8) {
  if (!utf8) {
    const int inside = columns - 2;
    const int full = static_cast<int>(share * inside);
    return fmt::format("[{}{}]", std::string(static_cast<std::size_t>(full), '='),
                       std::string(static_cast<std::size_t>(inside - full), '-'));
  }
  const int halves = static_cast<int>(share * 2 * columns);
  std::string text = repeated("\u2501", halves / 2);
  if (halves / 2 == columns) return text;
  text += halves % 2 == 1 ? "\u257a" : "\u2500";
  return text + repeated("\u2500", columns - halves / 2 - 1);
}

std::vector<Piece> pieces(const ProgressState& state) {
  std::vector<Piece> all;
  all.push_back({Part::step, fmt::format("{} {}/{}", state.only_evaluates ? "evaluating" : "step",
                                         state.step, state.total_steps)});
  all.push_back({Part::bar, ""});
  const int percent = static_cast<int>(done_share(state) * 100);
  all.push_back({Part::percentage, fmt::format("{} %", percent)});
  if (!state.activity.empty()) all.push_back({Part::activity, state.activity});
  if (state.latest) {
    const auto& latest = *state.latest;
    all.push_back({Part::loss, latest.loss ? "loss " + number_text(*latest.loss) : "no labels"});
    all.push_back({Part::learning_rate, "lr " + number_text(latest.learning_rate)});
  }
  const auto& rate = state.tokens_per_second;
  if (!state.only_evaluates) {
    all.push_back({Part::rate, (rate ? rate_text(*rate) : std::string("-")) + " tok/s"});
  }
  if (state.seconds_left) {
    all.push_back({Part::time_left, "ETA " + clock_text(*state.seconds_left)});
  }
  return all;
}

// Step, bar and percentage stand together; a separator stands before every other piece.
std::string_view separator_before(Part part, bool utf8) {
  if (part == Part::step) return "";
  if (part == Part::bar || part == Part::percentage) return " ";
  return utf8 ? " \u00b7 " : " | ";
}

int columns_of(std::string_view separator) {
  if (separator.empty()) return 0;
  return separator.size() == 1 ? 1 : 3;
}

int columns_without_bar(const std::vector<Piece>& all) {
  int columns = 0;
  for (const Piece& piece : all) {
    columns += columns_of(separator_before(piece.part, false));
    columns += static_cast<int>(piece.text.size());
  }
  return columns;
}

bool holds(const std::vector<Piece>& all, Part part) {
  return std::any_of(all.begin(), all.end(), [&](const Piece& p) { return p.part == part; });
}

void shrink_to(std::vector<Piece>& all, int columns) {
  for (const Part part : kDispensable) {
    const int bar_columns = holds(all, Part::bar) ? kNarrowestBar : 0;
    if (columns_without_bar(all) + bar_columns <= columns) return;
    all.erase(
        std::remove_if(all.begin(), all.end(), [&](const Piece& p) { return p.part == part; }),
        all.end());
  }
}

}  // namespace

std::string progress_line(const ProgressState& state, int columns, bool utf8) {
  std::vector<Piece> all = pieces(state);
  shrink_to(all, columns);
  const int used = columns_without_bar(all);
  std::string line;
  for (Piece& piece : all) {
    if (piece.part == Part::bar) {
      piece.text = bar(done_share(state), std::min(kWidestBar, columns - used), utf8);
    }
    line += separator_before(piece.part, utf8);
    line += piece.text;
  }
  // Only here, with everything dispensable gone, can the line be too long. With the bar gone the
  // one character that is not ASCII is the separator; a plain one makes bytes equal columns.
  if (used > columns) {
    line.clear();
    for (const Piece& piece : all) {
      line += separator_before(piece.part, false);
      line += piece.text;
    }
    line.resize(static_cast<std::size_t>(std::max(0, columns)));
  }
  return line;
}

}  // namespace hone::report
