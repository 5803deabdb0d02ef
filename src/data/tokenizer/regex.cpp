#include "data/tokenizer/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include "base/error.h"
#include "data/tokenizer/utf8.h"

namespace hone::data {

namespace {

// Backtracking steps per match: linear patterns over a million characters stay far below it.
constexpr std::uint32_t kMatchLimit = 50'000'000;

std::string pcre2_message(int code) {
  PCRE2_UCHAR buffer[256] = {};
  pcre2_get_error_message(code, buffer, sizeof buffer);
  return reinterpret_cast<const char*>(buffer);
}

PCRE2_SPTR units(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

struct MatchDataDeleter {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
struct MatchContextDeleter {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};
using MatchData = std::unique_ptr<pcre2_match_data, MatchDataDeleter>;
using MatchContext = std::unique_ptr<pcre2_match_context, MatchContextDeleter>;

}  // namespace

struct Regex::Compiled {
  pcre2_code* code = nullptr;
  std::string pattern;

  ~Compiled() { pcre2_code_free(code); }

  // The match at or after `start`; the JIT's stack is small, so the interpreter, whose memory is
  // the heap, takes over where it does not suffice.
  bool find(std::string_view text, std::size_t start, pcre2_match_data* data,
            pcre2_match_context* context) const {
    int found =
        pcre2_match(code, units(text), text.size(), start, PCRE2_NO_UTF_CHECK, data, context);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
      found = pcre2_match(code, units(text), text.size(), start, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
                          data, context);
    }
    if (found == PCRE2_ERROR_NOMATCH) return false;
    if (found < 0) {
      throw UserError(
          {fmt::format("splitting a text of {} bytes with the pattern '{}'", text.size(), pattern),
           pcre2_message(found),
           "shorten the text, or use a tokenizer whose pattern does not backtrack"});
    }
    return true;
  }
};

Regex::Regex(std::string_view pattern, std::string_view where)
    : compiled_(std::make_unique<Compiled>()) {
  const std::string translated = translate_pattern(pattern, where);
  compiled_->pattern = pattern;
  int error = 0;
  PCRE2_SIZE offset = 0;
  std::unique_ptr<pcre2_compile_context, void (*)(pcre2_compile_context*)> context(
      pcre2_compile_context_create(nullptr), pcre2_compile_context_free);
  // Oniguruma's '.', '^' and '$' know one line end.
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  compiled_->code = pcre2_compile(units(translated), translated.size(),
                                  PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C,
                                  &error, &offset, context.get());
  if (compiled_->code == nullptr) {
    throw UserError(
        {fmt::format("{}: the pattern '{}'", where, pattern),
         fmt::format("{} (at byte {} of '{}')", pcre2_message(error), offset, translated),
         "use the tokenizer file that came with the model, unchanged"});
  }
  // Not every machine has the JIT; the interpreter gives the same matches.
  pcre2_jit_compile(compiled_->code, PCRE2_JIT_COMPLETE);
}

Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

std::vector<std::pair<std::size_t, std::size_t>> Regex::matches(std::string_view text) const {
  const MatchData data(pcre2_match_data_create_from_pattern(compiled_->code, nullptr));
  const MatchContext context(pcre2_match_context_create(nullptr));
  HONE_ASSERT(data != nullptr && context != nullptr);
  pcre2_set_match_limit(context.get(), kMatchLimit);
  std::vector<std::pair<std::size_t, std::size_t>> found;
  std::size_t start = 0;
  while (start <= text.size() && compiled_->find(text, start, data.get(), context.get())) {
    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(data.get());
    found.emplace_back(ends[0], ends[1]);
    start = ends[1];
    if (ends[0] == ends[1]) {  // an empty match: go on behind the next character
      if (start == text.size()) break;
      start += utf8_step(text, start).length;
    }
  }
  return found;
}

std::string escape_pattern(std::string_view text) {
  std::string pattern;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80) {
      pattern += fmt::format("\\x{{{:x}}}", static_cast<unsigned>(byte));
    } else {
      pattern += letter;
    }
  }
  return pattern;
}

}  // namespace hone::data
