#include "config/settings/storage.h"

namespace hone::config {
namespace {

void declare_working(Declarations& to) {
  to.works(Group::data, "template", Kind::text,
           stored<&Settings::data, &DataSettings::template_name>(),
           "Name of the chat template that turns records into text.");
  to.works(Group::data, "dataset", Kind::list, stored<&Settings::data, &DataSettings::dataset>(),
           "Data sets to train on, by their names in dataset_info.json.");
  to.works(Group::data, "eval_dataset", Kind::list,
           stored<&Settings::data, &DataSettings::eval_dataset>(),
           "Data sets to evaluate on. Not together with val_size.");
  to.works(Group::data, "dataset_dir", Kind::path,
           stored<&Settings::data, &DataSettings::dataset_dir>(),
           "The folder that holds dataset_info.json.");
  to.works(Group::data, "cutoff_len", Kind::whole,
           stored<&Settings::data, &DataSettings::cutoff_len>(),
           "Longest record in tokens; longer ones are cut, and counted.")
      .at_least(1);
  to.works(Group::data, "train_on_prompt", Kind::boolean,
           stored<&Settings::data, &DataSettings::train_on_prompt>(),
           "Prompts are labels too. Not together with mask_history.");
  to.works(Group::data, "mask_history", Kind::boolean,
           stored<&Settings::data, &DataSettings::mask_history>(),
           "Only the last turn of a record has labels.");
  to.works(Group::data, "max_samples", Kind::whole,
           stored<&Settings::data, &DataSettings::max_samples>(),
           "Take the first records of each data set only.")
      .at_least(1);
  to.works(Group::data, "val_size", Kind::number,
           stored<&Settings::data, &DataSettings::val_size>(),
           "Records set apart for evaluation: below 1 a fraction, above 1 a number.")
      .at_least(0);
  to.works(Group::data, "overwrite_cache", Kind::boolean,
           stored<&Settings::data, &DataSettings::overwrite_cache>(),
           "Prepare the records anew even where a cache of them is at hand.");
  to.works(Group::data, "ignore_pad_token_for_loss", Kind::boolean,
           stored<&Settings::data, &DataSettings::ignore_pad_token_for_loss>(),
           "Padding has no labels. hone never pads, so both values train alike.");
  to.works(Group::data, "enable_thinking", Kind::boolean,
           stored<&Settings::data, &DataSettings::enable_thinking>(),
           "Templates with thoughts: true adds an empty thought where a record has none, false "
           "removes thoughts, null leaves records as they are.")
      .null_counts();
  to.works(Group::data, "preserve_thinking", Kind::boolean,
           stored<&Settings::data, &DataSettings::preserve_thinking>(),
           "Keep the thoughts of earlier turns.");
  to.works(Group::data, "default_system", Kind::text,
           stored<&Settings::data, &DataSettings::default_system>(),
           "System text of records that have none, instead of the template's own.");
}

}  // namespace

void declare_data(Declarations& declarations) {
  declare_working(declarations);
  constexpr const char* kParallel = "records are prepared in parallel on all of `threads`";
  constexpr const char* kMixing =
      "data sets are read one after another (concat) in this version; mix the files beforehand";
  declarations.no_effect(
      Group::data,
      {{"preprocessing_num_workers", Kind::whole, "null", "Processes that prepare records.",
        kParallel},
       {"preprocessing_batch_size", Kind::whole, "1000", "Records prepared at a time.", kParallel},
       {"data_shared_file_system", Kind::boolean, "false", "Which process prepares records.",
        "one process prepares them"},
       {"media_dir", Kind::path, "null", "Folder of pictures, videos and sounds.",
        "hone trains on text alone"},
       {"buffer_size", Kind::whole, "16384", "Records shuffled at a time when streaming.",
        "nothing is streamed in this version"},
       {"eval_num_beams", Kind::whole, "null", "Beams when predicting.",
        "nothing is predicted by generating in this version"}});
  declarations.refused(
      Group::data,
      {{"streaming", Kind::boolean, "false", "Read records while training.",
        "not in this version of hone; leave it out: records are prepared once, before the first "
        "step"},
       {"mix_strategy", Kind::text, "concat", "How data sets are mixed.", kMixing},
       {"interleave_probs", Kind::list, "null", "Shares of mixed data sets.", kMixing},
       {"eval_on_each_dataset", Kind::boolean, "false", "Evaluate data sets one by one.",
        "not in this version of hone; leave it out: all of eval_dataset are evaluated together"},
       {"packing", Kind::boolean, "false", "Join records to full length.",
        "hone never pads, so a step costs its real tokens only; leave it out"},
       {"neat_packing", Kind::boolean, "false", "Join records that do not see each other.",
        "hone never pads, and records never see each other; leave it out"},
       {"tool_format", Kind::text, "null", "How tools are written.",
        "not in this version of hone; leave it out: templates have their own format"},
       {"tokenized_path", Kind::path, "null", "Folder of prepared records.",
        "not in this version of hone; leave it out: records are prepared before the first step"}});
}

}  // namespace hone::config
