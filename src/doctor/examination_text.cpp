#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "doctor/examination.h"
#include "doctor/patterns.h"
#include "formats/json_writer.h"
#include "formats/text_encoding.h"
#include "report/text_table.h"

namespace hone::doctor {
namespace {

// Words of the column `result`, and the escape that colours them.
struct Mark {
  std::string_view word;
  std::string_view colour;
};

Mark mark_of(Grade grade) {
  switch (grade) {
    case Grade::note:
      return {"note", "\x1b[36m"};
    case Grade::warning:
      return {"warning", "\x1b[33m"};
    case Grade::failure:
      return {"FAILURE", "\x1b[1;31m"};
  }
  return {"", ""};
}

constexpr std::string_view kPlain = "\x1b[0m";
constexpr Mark kFine = {"ok", "\x1b[32m"};
constexpr Mark kLeftOut = {"-", ""};
constexpr Mark kUnknown = {"unknown", ""};
constexpr std::size_t kLongestShown = 400;

Mark mark_of(const Answer& answer) {
  if (answer.state == Answer::State::left_out) return kLeftOut;
  std::optional<Grade> worst;
  for (const Finding& finding : answer.result.findings) {
    worst = std::max(worst.value_or(Grade::note), grade_of(finding));
  }
  if (!worst) return answer.result.known ? kFine : kUnknown;
  return mark_of(*worst);
}

// Names in files of a made-up tree may hold anything.
std::string shown(const std::string& text) {
  return formats::printable(text, kLongestShown);
}

// Colours go into the finished lines: escapes have no width, and columns must line up.
std::string coloured_line(std::string line, const Mark& mark) {
  const std::size_t at = line.find("  " + std::string(mark.word) + " ");
  if (mark.colour.empty() || at == std::string::npos) return line;
  line.insert(at + 2 + mark.word.size(), kPlain);
  line.insert(at + 2, mark.colour);
  return line;
}

std::string table(const Examination& examination, bool coloured) {
  report::TableRows rows;
  std::vector<Mark> marks = {kLeftOut};  // the head line
  for (const Answer& answer : examination.answers) {
    if (answer.state == Answer::State::left_out) continue;
    marks.push_back(mark_of(answer));
    rows.push_back(
        {std::string(answer.check), std::string(marks.back().word), shown(answer.result.summary)});
  }
  const std::string text = report::table_text({{"check", report::Align::left},
                                               {"result", report::Align::left},
                                               {"what was found", report::Align::left}},
                                              rows);
  if (!coloured) return text;
  std::string with_colours;
  std::size_t row = 0;
  for (const std::string& line : lines(text)) {
    with_colours += coloured_line(line, marks[row++]) + "\n";
  }
  return with_colours;
}

// "not looked at (no AMD GPU): render nodes, ...", a line for each reason.
std::string left_out(const Examination& examination) {
  std::vector<std::pair<std::string, std::string>> reasons;
  for (const Answer& answer : examination.answers) {
    if (answer.state != Answer::State::left_out) continue;
    const std::string& reason = answer.result.summary;
    auto known = std::find_if(reasons.begin(), reasons.end(),
                              [&](const auto& one) { return one.first == reason; });
    if (known == reasons.end()) known = reasons.insert(known, {reason, ""});
    append_item(known->second, ", ", answer.check);
  }
  std::string text;
  for (const auto& [reason, checks] : reasons) {
    text += fmt::format("  not looked at ({}): {}\n", reason, checks);
  }
  return text;
}

std::string finding_text(const Finding& finding, bool coloured) {
  const Mark mark = mark_of(grade_of(finding));
  const Entry& known = entry(finding.id);
  const std::string word = coloured && !mark.colour.empty()
                               ? fmt::format("{}{}{}", mark.colour, mark.word, kPlain)
                               : std::string(mark.word);
  return fmt::format("\n{} {}: {}\n  found: {}\n  why:   {}\n  to do: {}\n", word, finding.id,
                     known.symptom, shown(finding.found), known.cause, remedy_of(finding));
}

}  // namespace

std::string examination_text(const Examination& examination, bool coloured) {
  std::string text = table(examination, coloured) + left_out(examination);
  constexpr std::array kWorstFirst = {Grade::failure, Grade::warning, Grade::note};
  for (const Grade grade : kWorstFirst) {
    for (const Answer& answer : examination.answers) {
      for (const Finding& finding : answer.result.findings) {
        if (grade_of(finding) == grade) text += finding_text(finding, coloured);
      }
    }
  }
  if (!examination.gpus.empty()) text += "\nGPUs, in the driver's order:\n";
  for (std::size_t i = 0; i < examination.gpus.size(); ++i) {
    text += fmt::format("  {}  {}\n", i, shown(examination.gpus[i]));
  }
  return text + "\n" + examination.verdict + "\n";
}

std::string examination_json(const Examination& examination) {
  formats::Array checks;
  for (const Answer& answer : examination.answers) {
    formats::Array findings;
    for (const Finding& finding : answer.result.findings) {
      const Entry& known = entry(finding.id);
      findings.emplace_back(formats::Object{{"id", finding.id},
                                            {"severity", grade_name(grade_of(finding))},
                                            {"symptom", known.symptom},
                                            {"found", finding.found},
                                            {"cause", known.cause},
                                            {"remedy", remedy_of(finding)}});
    }
    checks.emplace_back(formats::Object{{"check", answer.check},
                                        {"looked_at", answer.state == Answer::State::done},
                                        {"result", small_letters(mark_of(answer).word)},
                                        {"summary", answer.result.summary},
                                        {"findings", std::move(findings)}});
  }
  formats::Array gpus;
  for (const std::string& gpu : examination.gpus) gpus.emplace_back(gpu);
  const formats::Value whole = formats::Object{{"root", examination.root},
                                               {"exit_status", exit_status(examination)},
                                               {"gpu_usable", examination.gpu_usable},
                                               {"gpu_module", examination.has_module},
                                               {"cpu_usable", true},
                                               {"verdict", examination.verdict},
                                               {"gpus", std::move(gpus)},
                                               {"checks", std::move(checks)}};
  return formats::dump_python(whole, {.indent = 2, .ensure_ascii = false}) + "\n";
}

}  // namespace hone::doctor
