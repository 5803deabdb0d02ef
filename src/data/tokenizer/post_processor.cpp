#include "data/tokenizer/post_processor.h"

#include "base/error.h"
#include "formats/json.h"

namespace hone::data {

namespace {

PostProcessor from_template(const formats::JsonObject& fields) {
  PostProcessor made;
  const formats::JsonObject specials = fields.object("special_tokens");
  bool behind_text = false;
  for (const formats::Value& item : fields.array("single")) {
    if (item.find("Sequence") != nullptr) {
      behind_text = true;
      continue;
    }
    const formats::JsonObject token =
        formats::JsonObject(item, fields.file_name(), "post_processor.single")
            .object("SpecialToken");
    const formats::JsonObject special = specials.object(token.string("id"));
    for (const formats::Value& id : special.array("ids")) {
      const bool whole = id.kind() == formats::Value::Kind::integer;
      if (!whole) {
        made.unsupported_type = "TemplateProcessing with ids that are no numbers";
        return made;
      }
      (behind_text ? made.after : made.before).push_back(static_cast<std::int32_t>(id.integer()));
    }
  }
  return made;
}

// One token before and one behind the text, each written as a list of its text and its id.
PostProcessor from_pair(const formats::JsonObject& fields) {
  const auto id_of = [&](std::string_view key) {
    const formats::Array& pair = fields.array(key);
    const bool whole = pair.size() == 2 && pair[1].kind() == formats::Value::Kind::integer;
    if (whole) return static_cast<std::int32_t>(pair[1].integer());
    throw UserError({fields.where(key), "a list that is not a token and its id",
                     "take the tokenizer file that came with the model"});
  };
  return {{id_of("cls")}, {id_of("sep")}, {}};
}

}  // namespace

PostProcessor make_post_processor(const formats::Value* description, std::string_view where) {
  if (description == nullptr || description->is_null()) return {};
  const formats::JsonObject fields(*description, std::string(where), "post_processor");
  const std::string& type = fields.string("type");
  if (type == "ByteLevel") return {};
  if (type == "TemplateProcessing") return from_template(fields);
  if (type == "BertProcessing" || type == "RobertaProcessing") return from_pair(fields);
  PostProcessor made;
  if (type != "Sequence") {
    made.unsupported_type = type;
    return made;
  }
  for (const formats::Value& part : fields.array("processors")) {
    const PostProcessor inner = make_post_processor(&part, where);
    if (!inner.unsupported_type.empty()) return inner;
    made.before.insert(made.before.begin(), inner.before.begin(), inner.before.end());
    made.after.insert(made.after.end(), inner.after.begin(), inner.after.end());
  }
  return made;
}

formats::Value bos_processor(const std::string& token, std::int64_t id) {
  using formats::Array;
  using formats::Object;
  using formats::Value;
  const auto special = [&](std::int64_t type) {
    return Value(Object{{"SpecialToken", Object{{"id", token}, {"type_id", type}}}});
  };
  const auto sequence = [](const char* name, std::int64_t type) {
    return Value(Object{{"Sequence", Object{{"id", name}, {"type_id", type}}}});
  };
  return Object{
      {"type", "TemplateProcessing"},
      {"single", Array{special(0), sequence("A", 0)}},
      {"pair", Array{special(0), sequence("A", 0), special(1), sequence("B", 1)}},
      {"special_tokens",
       Object{{token, Object{{"id", token}, {"ids", Array{id}}, {"tokens", Array{token}}}}}}};
}

}  // namespace hone::data
