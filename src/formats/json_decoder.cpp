#include "formats/json_decoder.h"

#include <simdjson.h>

#include <cstring>
#include <optional>
#include <unordered_set>

#include "formats/surrogates.h"

namespace hone::formats {
namespace {

namespace dom = simdjson::dom;

// Up to here comparing all pairs of keys is cheaper than a table.
constexpr std::size_t kFewMembers = 12;

bool has_duplicates(const Object& members) {
  if (members.size() <= kFewMembers) {
    for (std::size_t i = 1; i < members.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (members[i].key == members[j].key) return true;
      }
    }
    return false;
  }
  std::unordered_set<std::string_view> keys;
  keys.reserve(members.size());
  for (const Member& member : members) {
    if (!keys.insert(member.key).second) return true;
  }
  return false;
}

// Nothing when some object holds a key twice: the slower reader says where. Recursion is bounded
// by the depth that the parser was given.
std::optional<Value> convert(const dom::element& element) {
  switch (element.type()) {
    case dom::element_type::ARRAY: {
      const dom::array source = element.get_array().value_unsafe();
      Array items;
      items.reserve(source.size());
      for (const dom::element item : source) {
        std::optional<Value> value = convert(item);
        if (!value) return std::nullopt;
        items.push_back(std::move(*value));
      }
      return Value(std::move(items));
    }
    case dom::element_type::OBJECT: {
      const dom::object source = element.get_object().value_unsafe();
      Object members;
      members.reserve(source.size());
      for (const dom::key_value_pair field : source) {
        std::optional<Value> value = convert(field.value);
        if (!value) return std::nullopt;
        members.push_back({std::string(field.key), std::move(*value)});
      }
      if (has_duplicates(members)) return std::nullopt;
      return Value(std::move(members));
    }
    case dom::element_type::INT64:
      return Value(element.get_int64().value_unsafe());
    case dom::element_type::UINT64:  // above the signed range only
      return Value(static_cast<double>(element.get_uint64().value_unsafe()));
    case dom::element_type::DOUBLE:
      return Value(element.get_double().value_unsafe());
    case dom::element_type::STRING:
      return Value(element.get_string().value_unsafe());
    case dom::element_type::BOOL:
      return Value(element.get_bool().value_unsafe());
    default:
      return Value();
  }
}

}  // namespace

struct JsonDecoder::Parser {
  dom::parser parser;
  std::size_t capacity = 0;
};

JsonDecoder::JsonDecoder() : parser_(std::make_unique<Parser>()) {}
JsonDecoder::JsonDecoder(JsonDecoder&&) noexcept = default;
JsonDecoder& JsonDecoder::operator=(JsonDecoder&&) noexcept = default;
JsonDecoder::~JsonDecoder() = default;

Value JsonDecoder::decode(std::string_view text, const JsonSource& source) {
  buffer_.assign(text);
  return decode_buffer(text.size(), source);
}

Value JsonDecoder::decode_replacing(std::string_view text, const JsonSource& source,
                                    std::int64_t& replaced) {
  buffer_.assign(text);
  replaced += replace_lone_surrogates(buffer_);
  return decode_buffer(text.size(), source);
}

Value JsonDecoder::decode_buffer(std::size_t length, const JsonSource& source) {
  buffer_.resize(length + simdjson::SIMDJSON_PADDING, ' ');
  const std::string_view text(buffer_.data(), length);
  if (length > parser_->capacity) {
    const std::size_t wanted = length + length / 2;
    if (parser_->parser.allocate(wanted, kMaxJsonDepth + 1) != simdjson::SUCCESS) {
      return decode_slowly(text, source);
    }
    parser_->capacity = wanted;
  }
  dom::element root;
  if (parser_->parser.parse(buffer_.data(), length, false).get(root) == simdjson::SUCCESS) {
    std::optional<Value> value = convert(root);
    if (value) return std::move(*value);
  }
  return decode_slowly(text, source);
}

}  // namespace hone::formats
