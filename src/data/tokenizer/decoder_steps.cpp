#include "data/tokenizer/decoder_steps.h"

#include <memory>
#include <optional>
#include <utility>

#include "data/tokenizer/byte_level.h"
#include "data/tokenizer/utf8.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

constexpr std::string_view kUnreadable = "\ufffd";

// Changes each token by itself.
class EachToken : public DecoderStep {
 public:
  using Change = std::function<std::string(const std::string& token, bool first)>;
  explicit EachToken(Change change) : change_(std::move(change)) {}

  void push(std::string token, const Sink& sink) override {
    sink(change_(token, first_));
    first_ = false;
  }

 private:
  Change change_;
  bool first_ = true;
};

// Waits for the whole of a joined token, to give it to a step that needs it whole.
class WholeText : public DecoderStep {
 public:
  explicit WholeText(std::unique_ptr<DecoderStep> step) : step_(std::move(step)) {}

  void push(std::string token, const Sink&) override { text_ += token; }
  void finish(const Sink& sink) override {
    step_->push(std::move(text_), sink);
    step_->finish(sink);
  }

 private:
  std::unique_ptr<DecoderStep> step_;
  std::string text_;
};

class ByteLevelStep : public DecoderStep {
 public:
  void push(std::string token, const Sink& sink) override {
    pending_ += from_byte_letters(token);
    sink(take_utf8(pending_));
  }
  void finish(const Sink& sink) override {
    if (!pending_.empty()) sink(std::string(kUnreadable));
  }

 private:
  std::string pending_;  // bytes that may be the beginning of a character
};

// The byte that a token like <0x1F> stands for.
std::optional<char> byte_of(std::string_view token) {
  if (token.size() != 6 || token.substr(0, 3) != "<0x" || token[5] != '>') return std::nullopt;
  constexpr int kNone = -1;
  const auto digit = [](char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    return kNone;
  };
  const int high = token[3] == '+' ? 0 : digit(token[3]);  // Rust's number parser takes a plus
  const int low = digit(token[4]);
  if (high == kNone || low == kNone) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

class ByteFallbackStep : public DecoderStep {
 public:
  void push(std::string token, const Sink& sink) override {
    if (const std::optional<char> byte = byte_of(token)) {
      bytes_ += *byte;
      return;
    }
    finish(sink);
    sink(std::move(token));
  }

  void finish(const Sink& sink) override {
    if (bytes_.empty()) return;
    const std::string bytes = std::exchange(bytes_, {});
    if (!formats::invalid_utf8(bytes)) return sink(bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) sink(std::string(kUnreadable));
  }

 private:
  std::string bytes_;
};

// Takes the first `count` characters from a text that comes in parts, as long as they are
// `content`.
class StripBeginning : public DecoderStep {
 public:
  StripBeginning(std::string content, std::size_t count)
      : content_(std::move(content)), count_(count) {}

  void push(std::string token, const Sink& sink) override {
    std::size_t begin = 0;
    while (count_ > 0 && begin < token.size()) {
      if (token.compare(begin, content_.size(), content_) != 0) {
        count_ = 0;
      } else {
        begin += content_.size();
        --count_;
      }
    }
    sink(token.substr(begin));
  }

 private:
  std::string content_;
  std::size_t count_;  // still to be taken
};

std::string stripped(const std::string& token, const std::string& content, std::size_t start,
                     std::size_t stop) {
  std::string_view text = token;
  const std::size_t size = content.size();
  for (; start > 0 && text.substr(0, size) == content; --start) text.remove_prefix(size);
  for (; stop > 0 && text.size() >= size && text.substr(text.size() - size) == content; --stop) {
    text.remove_suffix(size);
  }
  return std::string(text);
}

std::string replaced(std::string_view text, const Regex& pattern, std::string_view content) {
  std::string made;
  std::size_t done = 0;
  for (const auto& [begin, end] : pattern.matches(text)) {
    made += text.substr(done, begin - done);
    made += content;
    done = end;
  }
  made += text.substr(done);
  return made;
}

DecoderPart each_token(EachToken::Change change) {
  return {[change](bool joined) -> std::unique_ptr<DecoderStep> {
    auto step = std::make_unique<EachToken>(change);
    if (!joined) return step;
    return std::make_unique<WholeText>(std::move(step));
  }};
}

template <class Step>
DecoderPart gathering(bool joins) {
  return {[](bool joined) -> std::unique_ptr<DecoderStep> {
            auto step = std::make_unique<Step>();
            if (!joined) return step;
            return std::make_unique<WholeText>(std::move(step));
          },
          joins};
}

}  // namespace

DecoderPart byte_level_part() {
  return gathering<ByteLevelStep>(true);
}

DecoderPart byte_fallback_part() {
  return gathering<ByteFallbackStep>(false);
}

DecoderPart fuse_part() {
  const auto same = [](const std::string& token, bool) { return token; };
  return {[same](bool) { return std::make_unique<EachToken>(same); }, true};
}

DecoderPart replace_part(Regex pattern, std::string content) {
  const auto shared = std::make_shared<const Regex>(std::move(pattern));
  return each_token([shared, content](const std::string& token, bool) {
    return replaced(token, *shared, content);
  });
}

DecoderPart strip_part(std::string content, std::size_t start, std::size_t stop) {
  if (stop == 0) {
    return {[content, start](bool joined) -> std::unique_ptr<DecoderStep> {
      if (joined) return std::make_unique<StripBeginning>(content, start);
      return std::make_unique<EachToken>([content, start](const std::string& token, bool) {
        return stripped(token, content, start, 0);
      });
    }};
  }
  return each_token([content, start, stop](const std::string& token, bool) {
    return stripped(token, content, start, stop);
  });
}

DecoderPart metaspace_part(std::string mark, bool prefixed) {
  return each_token([mark, prefixed](const std::string& token, bool first) {
    std::string text;
    std::size_t done = 0;
    for (std::size_t at = token.find(mark); at != std::string::npos; at = token.find(mark, done)) {
      text.append(token, done, at - done);
      if (!(first && prefixed)) text += ' ';
      done = at + mark.size();
    }
    return text.append(token, done);
  });
}

DecoderPart spaced_part() {
  return each_token(
      [](const std::string& token, bool first) { return first ? token : " " + token; });
}

}  // namespace hone::data
