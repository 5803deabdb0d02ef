#include "config/settings/storage.h"

namespace hone::config {
namespace {

void declare_packing(Declarations& to) {
  to.works(Group::data, "packing", Kind::boolean, stored<&Settings::data, &DataSettings::packing>(),
           "Join records to full length. A pack is one sequence, whose records see each other. "
           "null is true for stage pt.");
  to.works(Group::data, "neat_packing", Kind::boolean,
           stored<&Settings::data, &DataSettings::neat_packing>(),
           "Join records to full length, each seeing itself alone. For stage sft.");
  to.works(Group::data, "preprocessing_num_workers", Kind::whole,
           stored<&Settings::data, &DataSettings::preprocessing_num_workers>(),
           "Runs of records that are packed apart, as LLaMA-Factory's processes do. Nothing else "
           "depends on it: records are prepared on all of `threads`.")
      .at_least(1);
  to.works(Group::data, "preprocessing_batch_size", Kind::whole,
           stored<&Settings::data, &DataSettings::preprocessing_batch_size>(),
           "Records that are packed together. Nothing else depends on it.")
      .at_least(1);
}

void declare_mixing(Declarations& to) {
  to.works(Group::data, "mix_strategy", Kind::choice,
           stored<&Settings::data, &DataSettings::mix_strategy>(),
           "How several data sets become one: one after another (concat), or by turns until the "
           "first ends (interleave_under), until all have ended once (interleave_over), or every "
           "record once (interleave_once).")
      .choice("concat", static_cast<int>(MixStrategy::concat))
      .choice("interleave_under", static_cast<int>(MixStrategy::interleave_under))
      .choice("interleave_over", static_cast<int>(MixStrategy::interleave_over))
      .choice("interleave_once", static_cast<int>(MixStrategy::interleave_once));
  to.works(Group::data, "interleave_probs", Kind::list,
           stored<&Settings::data, &DataSettings::interleave_probs>(),
           "Shares of the data sets in a mix by turns: one number each, 1 in all.");
}

void declare_streaming(Declarations& to) {
  to.works(Group::data, "streaming", Kind::boolean,
           stored<&Settings::data, &DataSettings::streaming>(),
           "Read no more of each data set than max_steps need, and shuffle through a buffer. The "
           "records that are read are prepared before the first step.");
  to.works(Group::data, "buffer_size", Kind::whole,
           stored<&Settings::data, &DataSettings::buffer_size>(),
           "Records of the buffer by which a stream is shuffled.")
      .at_least(1)
      .at_most(4294967295.0);
}

void declare_working(Declarations& to) {
  to.works(Group::data, "template", Kind::text,
           stored<&Settings::data, &DataSettings::template_name>(),
           "Name of the chat template that turns records into text.");
  to.works(Group::data, "dataset", Kind::list, stored<&Settings::data, &DataSettings::dataset>(),
           "Data sets to train on, by their names in dataset_info.json.");
  to.works(Group::data, "eval_dataset", Kind::list,
           stored<&Settings::data, &DataSettings::eval_dataset>(),
           "Data sets to evaluate on. Not together with val_size.");
  to.works(Group::data, "eval_on_each_dataset", Kind::boolean,
           stored<&Settings::data, &DataSettings::eval_on_each_dataset>(),
           "Evaluate each of eval_dataset by itself: eval_NAME_loss in place of one eval_loss.");
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
  to.works(Group::data, "tokenized_path", Kind::path,
           stored<&Settings::data, &DataSettings::tokenized_path>(),
           "Folder of prepared records: used in place of the data sets when it is there, else "
           "written.");
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
  to.works(Group::data, "tool_format", Kind::text,
           stored<&Settings::data, &DataSettings::tool_format>(),
           "Name of the way in which tools and their calls are written, instead of the template's "
           "own; another name is refused with those that there are.");
}

}  // namespace

void declare_data(Declarations& declarations) {
  declare_working(declarations);
  declare_mixing(declarations);
  declare_packing(declarations);
  declare_streaming(declarations);
  declarations.no_effect(
      Group::data, {{"data_shared_file_system", Kind::boolean, "false",
                     "Which process prepares records.", "one process prepares them"},
                    {"media_dir", Kind::path, "null", "Folder of pictures, videos and sounds.",
                     "hone trains on text alone"},
                    {"eval_num_beams", Kind::whole, "null", "Beams when predicting.",
                     "nothing is predicted by generating in this version"}});
}

}  // namespace hone::config
