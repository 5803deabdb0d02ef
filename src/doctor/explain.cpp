#include "doctor/explain.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "doctor/machine.h"
#include "doctor/patterns.h"
#include "formats/json_writer.h"
#include "formats/text_encoding.h"

namespace hone::doctor {
namespace {

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kLongestShown = 200;

struct Told {
  Explanation explanation;
  PatternMatch match;
};

// The entry that a line points at most clearly; nullptr: none.
const Entry* best_entry(const std::vector<const Entry*>& entries, std::string_view line,
                        PatternMatch& match) {
  const std::string small = small_letters(line.substr(0, kLongestLine));
  const Entry* best = nullptr;
  for (const Entry* candidate : entries) {
    const std::optional<PatternMatch> found = best_match(candidate->patterns, small);
    if (!found || (best != nullptr && !(match < *found))) continue;
    best = candidate;
    match = *found;
  }
  return best;
}

std::vector<const Entry*> entries_with_text() {
  std::vector<const Entry*> entries = all_entries();
  entries.erase(std::remove_if(entries.begin(), entries.end(),
                               [](const Entry* entry) { return entry->patterns.empty(); }),
                entries.end());
  return entries;
}

std::map<const Entry*, Told> tell(std::string_view text) {
  const std::vector<const Entry*> entries = entries_with_text();
  std::map<const Entry*, Told> told;
  std::int64_t number = 1;
  bool line_ended = false;
  while (!text.empty()) {
    // A progress bar returns to the start of its line, and an error may follow it there.
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    if (line_ended) ++number;
    line_ended = end < text.size() && text[end] == '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
    PatternMatch match;
    const Entry* entry = best_entry(entries, line, match);
    if (entry == nullptr) continue;
    Told& known = told[entry];
    if (++known.explanation.count > 1 && !(known.match < match)) continue;
    const std::int64_t count = known.explanation.count;
    known = {{entry, formats::printable(line, kLongestShown), number, count}, match};
  }
  return told;
}

}  // namespace

std::vector<Explanation> explain(std::string_view text) {
  std::vector<Told> found;
  for (auto& [entry, told] : tell(text)) found.push_back(std::move(told));
  std::sort(found.begin(), found.end(), [](const Told& left, const Told& right) {
    if (left.match.weight != right.match.weight) return right.match.weight < left.match.weight;
    return left.explanation.line_number < right.explanation.line_number;
  });
  std::vector<Explanation> explanations;
  for (Told& told : found) {
    if (told.match.weight == Weight::harmless && !explanations.empty()) break;
    explanations.push_back(std::move(told.explanation));
  }
  return explanations;
}

std::string remedy_for(std::string_view system_text) {
  const std::vector<Explanation> found = explain(system_text);
  if (found.empty()) return "";
  const Entry& entry = *found.front().entry;
  return fmt::format("  known as {}: {}\n    why:   {}\n    to do: {}", entry.id, entry.symptom,
                     entry.cause, entry.remedy);
}

std::string remedy_for(const UserError& error) {
  std::string found;
  for (const Fault& fault : error.faults()) found += fault.found + "\n";
  return remedy_for(found);
}

std::string explanation_text(const std::vector<Explanation>& explanations, std::size_t most) {
  if (explanations.empty()) return "not known: nothing in this text is a failure that hone knows\n";
  std::string text;
  for (std::size_t i = 0; i < std::min(most, explanations.size()); ++i) {
    const Explanation& one = explanations[i];
    text += fmt::format("{}{}  {}\n  line {}: {}\n", i == 0 ? "" : "\n", one.entry->id,
                        one.entry->symptom, one.line_number, one.line);
    if (one.count > 1) text += fmt::format("  and {} more like it\n", one.count - 1);
    text += fmt::format("  why:   {}\n  to do: {}\n", one.entry->cause, one.entry->remedy);
  }
  if (explanations.size() > most) {
    text += "\nalso:";
    for (std::size_t i = most; i < explanations.size(); ++i) {
      text += fmt::format(" {}", explanations[i].entry->id);
    }
    text += "\n";
  }
  return text;
}

std::string explanation_json(const std::vector<Explanation>& explanations) {
  formats::Array found;
  for (const Explanation& one : explanations) {
    found.emplace_back(formats::Object{{"id", one.entry->id},
                                       {"severity", grade_name(one.entry->grade)},
                                       {"symptom", one.entry->symptom},
                                       {"cause", one.entry->cause},
                                       {"remedy", one.entry->remedy},
                                       {"line", one.line},
                                       {"line_number", one.line_number},
                                       {"count", one.count}});
  }
  const formats::Value whole =
      formats::Object{{"known", !explanations.empty()}, {"explanations", std::move(found)}};
  return formats::dump_python(whole, {.indent = 2, .ensure_ascii = false}) + "\n";
}

}  // namespace hone::doctor
