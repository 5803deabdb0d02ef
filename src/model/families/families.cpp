#include "base/nearest_name.h"
#include "model/description/config_reader.h"
#include "model/families/family.h"

namespace hone::model {

extern const Family kLlama;
extern const Family kMistral;
extern const Family kQwen2;
extern const Family kQwen3;

const std::vector<Family>& families() {
  static const std::vector<Family> all = {kLlama, kMistral, kQwen2, kQwen3};
  return all;
}

const Family& family_of_model_type(const std::string& model_type, const std::string& file) {
  std::vector<std::string> known;
  std::string listed;
  for (const Family& family : families()) {
    if (family.model_type == model_type) return family;
    known.emplace_back(family.model_type);
    listed += (listed.empty() ? "" : ", ") + known.back();
  }
  throw UserError(
      {"model_type in " + file,
       "'" + model_type + "', which hone does not have" + did_you_mean(model_type, known),
       "use a model of one of these types: " + listed});
}

ModelDescription describe_model(const formats::Value& config, const std::string& file) {
  const formats::JsonObject object(config, file);
  const Family& family = family_of_model_type(object.string("model_type"), file);
  FaultList faults;
  ModelDescription description = family.describe(object, faults);
  faults.throw_if_any();
  description.architecture = family.architecture;
  check_description(description, file, faults);
  faults.throw_if_any();
  return description;
}

}  // namespace hone::model
