#include "checkpoint/run_state.h"

#include "base/error.h"
#include "formats/checksum.h"
#include "formats/json.h"
#include "formats/json_writer.h"

namespace hone::checkpoint {
namespace {

using formats::JsonObject;
using formats::Object;
using formats::Value;

constexpr const char* kFormat = "hone checkpoint";
constexpr std::int64_t kVersion = 1;

// Members of an object of strings.
std::vector<std::pair<std::string, std::string>> read_strings(const JsonObject& object) {
  std::vector<std::pair<std::string, std::string>> strings;
  for (const formats::Member& member : object.value().object()) {
    strings.emplace_back(member.key, object.string(member.key));
  }
  return strings;
}

std::map<std::string, FileRecord> read_files(const JsonObject& object) {
  std::map<std::string, FileRecord> files;
  for (const formats::Member& member : object.value().object()) {
    const JsonObject record = object.object(member.key);
    const std::int64_t size_bytes = record.integer("bytes");
    if (size_bytes < 0) {
      throw UserError({record.where("bytes"), std::to_string(size_bytes),
                       "use an older checkpoint; this file was changed"});
    }
    files[member.key] = {static_cast<std::uint64_t>(size_bytes), record.string("xxh64")};
  }
  return files;
}

void check_version(const JsonObject& json) {
  if (json.string("format") != kFormat) {
    throw UserError({json.where("format"), "'" + json.string("format") + "'",
                     "use a checkpoint that hone wrote"});
  }
  const std::int64_t version = json.integer("version");
  if (version >= 1 && version <= kVersion) return;
  throw UserError({json.where("version"),
                   std::to_string(version) + ", where this hone reads " + std::to_string(kVersion),
                   "use the hone that wrote it, or a newer one"});
}

}  // namespace

std::string run_state_text(const RunState& state) {
  Value json;
  json.set("format", kFormat);
  json.set("version", kVersion);
  json.set("step", state.step);
  json.set("optimizer_updates", state.optimizer_updates);
  json.set("tokens_seen", state.tokens_seen);
  json.set("seed", state.facts.seed);
  json.set("data_seed", state.facts.data_seed);
  json.set("micro_step_tokens", state.facts.micro_step_tokens);
  json.set("records", state.facts.records);
  json.set("data_fingerprint", state.facts.data_fingerprint);
  Value settings{Object()};
  for (const auto& [name, value] : state.facts.settings) settings.set(name, value);
  json.set("settings", settings);
  json.set("trainable_elements", state.trainable_elements);
  json.set("trainable_layout", state.trainable_layout);
  if (state.optimizer) {
    formats::Array names;
    for (const std::string& name : *state.optimizer) names.emplace_back(name);
    json.set("optimizer", names);
  }
  Value files{Object()};
  for (const auto& [name, record] : state.files) {
    Value entry;
    entry.set("bytes", static_cast<std::int64_t>(record.size_bytes));
    entry.set("xxh64", record.xxh64);
    files.set(name, entry);
  }
  json.set("files", files);
  return formats::dump_python(json, {.indent = 2, .sort_keys = true}) + "\n";
}

RunState parse_run_state(std::string_view text, const std::string& file) {
  const Value value = formats::parse_json(text, file);
  const JsonObject json(value, file);
  check_version(json);
  RunState state;
  state.step = json.integer("step");
  state.optimizer_updates = json.integer("optimizer_updates");
  state.tokens_seen = json.integer("tokens_seen");
  state.facts.seed = json.integer("seed");
  state.facts.data_seed = json.integer("data_seed");
  state.facts.micro_step_tokens = json.integer("micro_step_tokens");
  state.facts.records = json.integer("records");
  state.facts.data_fingerprint = json.string("data_fingerprint");
  state.facts.settings = read_strings(json.object("settings"));
  state.trainable_elements = json.integer("trainable_elements");
  state.trainable_layout = json.string("trainable_layout");
  if (const formats::Array* names = json.optional_array("optimizer")) {
    state.optimizer.emplace();
    for (const Value& name : *names) {
      if (!name.is_string()) {
        throw UserError({json.where("optimizer"), "a member that is not a name",
                         "use an older checkpoint; this file was changed"});
      }
      state.optimizer->push_back(name.string());
    }
  }
  state.files = read_files(json.object("files"));
  return state;
}

std::string fingerprint_of(const ParameterRegistry& registry, const FlatLayout& layout) {
  formats::Checksum checksum;
  for (const FlatRange& range : layout.ranges()) {
    const Parameter& parameter = registry.at(range.id);
    checksum.add(parameter.name + parameter.shape.to_text() + "\n");
  }
  return checksum.text();
}

}  // namespace hone::checkpoint
