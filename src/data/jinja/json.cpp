// The filter tojson, as transformers has it: json.dumps without escapes for
// other scripts.
#include <fmt/format.h>

#include "data/jinja/call.h"
#include "formats/json_writer.h"

namespace hone::data::jinja {

namespace {

using Kind = Value::Kind;

// A dictionary's key, as json.dumps writes it.
std::string key_text(const Value& key, const Call& call) {
  switch (key.kind()) {
    case Kind::text:
      return key.text();
    case Kind::none:
      return "null";
    case Kind::boolean:
      return key.truth() ? "true" : "false";
    case Kind::integer:
    case Kind::real:
      return to_repr(key);
    default:
      call.refuse(fmt::format("{} as a key", describe(key.kind())));
  }
}

formats::Value plain(const Value& value, const Call& call) {
  switch (value.kind()) {
    case Kind::none:
      return nullptr;
    case Kind::boolean:
      return value.truth();
    case Kind::integer:
      return value.whole();
    case Kind::real:
      return value.number();
    case Kind::text:
      return value.text();
    case Kind::list: {
      formats::Array items;
      for (const Value& item : value.list().items) items.push_back(plain(item, call));
      return items;
    }
    case Kind::dict: {
      formats::Object members;
      for (const auto& [key, item] : value.dict().items) {
        members.push_back({key_text(key, call), plain(item, call)});
      }
      return members;
    }
    default:
      call.refuse(fmt::format("{} is nothing for JSON", describe(value.kind())));
  }
}

bool given_true(const Call& call, std::size_t place, std::string_view name) {
  const Value* value = call.find(place, name);
  return value != nullptr && value->truth();
}

}  // namespace

std::string json_of(const Value& value, const Call& call) {
  call.allow({"ensure_ascii", "indent", "separators", "sort_keys"});
  formats::PythonStyle style;
  style.ensure_ascii = given_true(call, 0, "ensure_ascii");
  style.sort_keys = given_true(call, 3, "sort_keys");
  constexpr std::int64_t kWidest = 100;
  const Value* indent = call.find(1, "indent");
  if (indent != nullptr && !indent->is(Kind::none)) {
    const std::int64_t width = call.whole(1, "indent", 0);
    if (width < 0 || width > kWidest) call.refuse(fmt::format("an indent of {}", width));
    style.indent = static_cast<int>(width);
  }
  const Value* separators = call.find(2, "separators");
  if (separators != nullptr && !separators->is(Kind::none)) {
    const std::string shown = to_repr(*separators);
    style.compact = shown == "(',', ':')" || shown == "[',', ':']";
    const bool usual = shown == "(', ', ': ')" || shown == "[', ', ': ']";
    if (!style.compact && (!usual || style.indent)) {
      call.refuse(fmt::format("separators={}, which is not there", shown));
    }
  }
  return formats::dump_python(plain(value, call), style);
}

}  // namespace hone::data::jinja
