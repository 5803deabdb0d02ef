#include "report/trainer_state.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "formats/json.h"
#include "report/metric_json.h"

namespace hone::report {

namespace {

using formats::JsonObject;
using formats::Object;
using formats::Value;

constexpr const char* kLossTotals = "HoneLossTotals";

template <class T>
Value or_null(const std::optional<T>& value) {
  if (value) return Value(*value);
  return Value();
}

Value callback_state(Object args, Object attributes) {
  return Object{{"args", std::move(args)}, {"attributes", std::move(attributes)}};
}

Value stateful_callbacks(const TrainerState& state) {
  const LossTotals& totals = state.loss_totals;
  // The control flags as transformers leaves them while it saves.
  return Object{
      {kLossTotals, callback_state({}, {{"steps", totals.steps},
                                        {"steps_since_log", totals.steps_since_log},
                                        {"sum", totals.sum},
                                        {"sum_since_log", totals.sum_since_log}})},
      {"TrainerControl", callback_state({{"should_epoch_stop", false},
                                         {"should_evaluate", false},
                                         {"should_log", false},
                                         {"should_save", true},
                                         {"should_training_stop", state.training_is_over}},
                                        {})}};
}

Value history_json(const std::vector<LogEntry>& history) {
  formats::Array array;
  for (const LogEntry& entry : history) {
    Value object = to_json(entry.metrics);
    object.set("epoch", to_json(Measured(entry.epoch)));
    object.set("step", entry.step);
    array.push_back(std::move(object));
  }
  return array;
}

Metrics parse_metrics(const JsonObject& entry) {
  Metrics metrics;
  for (const formats::Member& member : entry.value().object()) {
    if (member.key == "epoch" || member.key == "step") continue;
    if (member.value.kind() == Value::Kind::integer) {
      metrics.push_back({member.key, member.value.integer()});
    } else if (member.value.is_null()) {
      metrics.push_back({member.key, Measured()});
    } else {
      metrics.push_back({member.key, entry.number(member.key)});
    }
  }
  return metrics;
}

std::vector<LogEntry> parse_history(const JsonObject& root) {
  std::vector<LogEntry> history;
  for (const Value& value : root.array("log_history")) {
    const JsonObject entry(value, root.file_name(), fmt::format("log_history[{}]", history.size()));
    history.push_back({entry.integer("step"), entry.number("epoch"), parse_metrics(entry)});
  }
  return history;
}

void parse_callbacks(const JsonObject& callbacks, TrainerState& state) {
  if (const auto hone = callbacks.optional_object(kLossTotals)) {
    const JsonObject totals = hone->object("attributes");
    state.loss_totals = {totals.number("sum_since_log"), totals.integer("steps_since_log"),
                         totals.number("sum"), totals.integer("steps")};
  }
  if (const auto control = callbacks.optional_object("TrainerControl")) {
    state.training_is_over = control->object("args").boolean("should_training_stop");
  }
}

}  // namespace

std::string trainer_state_text(const TrainerState& state) {
  Value root =
      Object{{"best_global_step", or_null(state.best_global_step)},
             {"best_metric", or_null(state.best_metric)},
             {"best_model_checkpoint", or_null(state.best_model_checkpoint)},
             {"epoch", state.epoch},
             {"eval_steps", state.eval_steps},
             {"global_step", state.global_step},
             {"is_hyper_param_search", false},
             {"is_local_process_zero", true},
             {"is_world_process_zero", true},
             {"log_history", history_json(state.log_history)},
             {"logging_steps", state.logging_steps},
             {"max_steps", state.max_steps},
             {"num_input_tokens_seen", state.tokens_seen},
             {"num_train_epochs", static_cast<std::int64_t>(std::ceil(state.num_train_epochs))},
             {"save_steps", state.save_steps},
             {"stateful_callbacks", stateful_callbacks(state)},
             {"total_flos", state.total_flops},
             {"train_batch_size", state.train_batch_size},
             {"trial_name", nullptr},
             {"trial_params", nullptr}};
  return sorted_json(root, 2) + "\n";
}

TrainerState parse_trainer_state(std::string_view text, const std::string& file) {
  const Value root = formats::parse_json(text, file);
  const JsonObject object(root, file);
  TrainerState state;
  state.global_step = object.integer("global_step");
  state.max_steps = object.integer("max_steps");
  state.epoch = object.number("epoch");
  state.num_train_epochs = static_cast<double>(object.integer("num_train_epochs"));
  state.logging_steps = object.integer("logging_steps");
  state.eval_steps = object.integer("eval_steps");
  state.save_steps = object.integer("save_steps");
  state.train_batch_size = object.integer("train_batch_size");
  state.tokens_seen = object.integer("num_input_tokens_seen");
  state.total_flops = object.number("total_flos");
  state.best_metric = object.optional_number("best_metric");
  state.best_global_step = object.optional_integer("best_global_step");
  state.best_model_checkpoint = object.optional_string("best_model_checkpoint");
  state.log_history = parse_history(object);
  parse_callbacks(object.object("stateful_callbacks"), state);
  return state;
}

}  // namespace hone::report
