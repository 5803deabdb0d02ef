#include "config/settings/storage.h"

namespace hone::config {

void declare_generation(Declarations& to) {
  using G = GenerationSettings;
  to.works(Group::generating, "do_sample", Kind::boolean,
           stored<&Settings::generation, &G::do_sample>(),
           "Draw tokens at random; false: always the likeliest.");
  to.works(Group::generating, "temperature", Kind::number,
           stored<&Settings::generation, &G::temperature>(),
           "How far the draw strays from the likeliest; 0: not at all.")
      .at_least(0);
  to.works(Group::generating, "top_p", Kind::number, stored<&Settings::generation, &G::top_p>(),
           "Draw from the likeliest tokens that together have this probability.")
      .above(0)
      .at_most(1);
  to.works(Group::generating, "top_k", Kind::whole, stored<&Settings::generation, &G::top_k>(),
           "Draw from this many of the likeliest tokens; 0: from all.")
      .at_least(0);
  to.works(Group::generating, "max_new_tokens", Kind::whole,
           stored<&Settings::generation, &G::max_new_tokens>(),
           "Longest answer in tokens; 0 or less: max_length counts.");
  to.works(Group::generating, "max_length", Kind::whole,
           stored<&Settings::generation, &G::max_length>(),
           "Longest text in tokens, prompt included; only where max_new_tokens is 0 or less.")
      .at_least(1);
  to.works(Group::generating, "repetition_penalty", Kind::number,
           stored<&Settings::generation, &G::repetition_penalty>(),
           "Tokens that were there before are made less likely by this factor.")
      .above(0);
  to.works(Group::generating, "skip_special_tokens", Kind::boolean,
           stored<&Settings::generation, &G::skip_special_tokens>(),
           "Leave special tokens out of the shown text.");
  to.no_effect(Group::generating,
               {{"length_penalty", Kind::number, "1.0", "Favours long or short beams.",
                 "it belongs to num_beams, which is not here yet"}});
  to.refused(Group::generating, {{"num_beams", Kind::whole, "1", "Beams searched.",
                                  "beam search is not in this version; leave it out"}});

  constexpr const char* kEvaluation = "benchmarks are not in this version; leave it out";
  to.refused(Group::evaluation,
             {{"task", Kind::text, "null", "Benchmark.", kEvaluation},
              {"task_dir", Kind::path, "evaluation", "Folder of benchmarks.", kEvaluation},
              {"batch_size", Kind::whole, "4", "Questions at a time.", kEvaluation},
              {"lang", Kind::text, "en", "Language of questions.", kEvaluation},
              {"n_shot", Kind::whole, "5", "Examples before a question.", kEvaluation},
              {"save_dir", Kind::path, "null", "Folder of results.", kEvaluation},
              {"download_mode", Kind::text, "null", "When to download.", kEvaluation}});
}

}  // namespace hone::config
