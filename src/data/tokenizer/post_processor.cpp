#include "data/tokenizer/post_processor.h"

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

}  // namespace

PostProcessor make_post_processor(const formats::Value* description, std::string_view where) {
  if (description == nullptr || description->is_null()) return {};
  const formats::JsonObject fields(*description, std::string(where), "post_processor");
  const std::string& type = fields.string("type");
  if (type == "ByteLevel") return {};
  if (type == "TemplateProcessing") return from_template(fields);
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

}  // namespace hone::data
