#include "data/tokenizer/json_text.h"

#include <cmath>

#include <fmt/format.h>

namespace hone::data {

namespace {

class Writer {
 public:
  // A negative indent writes one line.
  explicit Writer(int indent) : indent_(indent) {}

  void write(const formats::Value& value) {
    switch (value.kind()) {
      case formats::Value::Kind::null:
        out_ += "null";
        break;
      case formats::Value::Kind::boolean:
        out_ += value.boolean() ? "true" : "false";
        break;
      case formats::Value::Kind::integer:
        out_ += fmt::format("{}", value.integer());
        break;
      case formats::Value::Kind::number:
        number(value.number());
        break;
      case formats::Value::Kind::string:
        string(value.string());
        break;
      case formats::Value::Kind::array:
        array(value.array());
        break;
      case formats::Value::Kind::object:
        object(value.object());
        break;
    }
  }

  std::string take() { return std::move(out_); }

 private:
  // Python's repr: fmt switches to an exponent at the same magnitudes, but leaves ".0" away.
  void number(double value) {
    std::string text = fmt::format("{}", value);
    if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
    out_ += text;
  }

  void string(const std::string& text) {
    out_ += '"';
    for (const char letter : text) {
      switch (letter) {
        case '"':
          out_ += "\\\"";
          break;
        case '\\':
          out_ += "\\\\";
          break;
        case '\n':
          out_ += "\\n";
          break;
        case '\r':
          out_ += "\\r";
          break;
        case '\t':
          out_ += "\\t";
          break;
        case '\b':
          out_ += "\\b";
          break;
        case '\f':
          out_ += "\\f";
          break;
        default:
          if (static_cast<unsigned char>(letter) < 0x20) {
            out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(letter));
          } else {
            out_ += letter;
          }
      }
    }
    out_ += '"';
  }

  void line() {
    if (indent_ < 0) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(indent_ * depth_), ' ');
  }

  void separator() { out_ += indent_ < 0 ? ", " : ","; }

  void array(const formats::Array& items) {
    out_ += '[';
    ++depth_;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) separator();
      line();
      write(items[i]);
    }
    --depth_;
    if (!items.empty()) line();
    out_ += ']';
  }

  void object(const formats::Object& members) {
    out_ += '{';
    ++depth_;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) separator();
      line();
      string(members[i].key);
      out_ += ": ";
      write(members[i].value);
    }
    --depth_;
    if (!members.empty()) line();
    out_ += '}';
  }

  int indent_;
  int depth_ = 0;
  std::string out_;
};

}  // namespace

std::string json_text(const formats::Value& value) {
  Writer writer(-1);
  writer.write(value);
  return writer.take();
}

std::string json_text_indented(const formats::Value& value, int indent) {
  Writer writer(indent);
  writer.write(value);
  return writer.take();
}

}  // namespace hone::data
