#include "data/prepared/preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "base/error.h"
#include "data/order/buffer_shuffle.h"
#include "data/prepared/packing.h"
#include "data/prepared/rows_key.h"
#include "data/prepared/stream_end.h"
#include "data/sources/dataset_reader.h"
#include "data/sources/registry.h"
#include "data/sources/split.h"
#include "formats/file_system.h"

namespace hone::data {
namespace {

// One data set's rows, and what is taken of them.
struct EncodedSet {
  std::string name;
  std::string key;
  PreparedRows prepared;
  std::int32_t first_file = 0;  // of its files among all
  std::optional<std::int64_t> num_samples;
};

// Records to evaluate on; without a name all of them.
struct HeldOut {
  std::string name;
  std::vector<RowRef> rows;
};

StreamNeed stream_need(const PreparationOptions& options) {
  StreamNeed need;
  need.rows = *options.stream_records;
  need.spare_rows = options.buffer_rows + static_cast<std::int64_t>(options.val_size);
  if (options.packing) {
    need.pack_tokens = options.encoding.cutoff_len;
    need.batch_rows = options.packing_batch;
    need.whole_blocks = options.purpose == Purpose::pretraining;
  }
  return need;
}

class Preparation {
 public:
  Preparation(const PreparationOptions& options, const Template& chat, const Tokenizer& tokenizer,
              LogSink& log)
      : options_(options),
        log_(log),
        registry_(DatasetRegistry::open(options.dataset_dir, options.fetched)),
        cache_(options.cache, system_, log),
        encoding_key_(encoding_key(options, chat, tokenizer)),
        template_name_(chat.definition().name) {
    if (options.purpose == Purpose::pretraining) {
      text_options_ = pretraining_options(tokenizer, template_name_);
      encoder_ = std::make_unique<PretrainingEncoder>(tokenizer, text_options_,
                                                      options.encoding.cutoff_len, options.packing);
    } else {
      HONE_ASSERT(options.purpose == Purpose::supervised);
      encoder_ = std::make_unique<SupervisedEncoder>(chat, tokenizer, options.encoding);
    }
  }

  PreparedData prepare() {
    check(options_.datasets, "dataset");
    check(options_.eval_datasets, "eval_dataset");
    faults_.throw_if_any();
    streams_ = options_.stream_records.has_value();
    const std::vector<std::size_t> training = load(options_.datasets);
    streams_ = false;
    const std::vector<std::size_t> evaluation = load(options_.eval_datasets);
    faults_.throw_if_any();
    std::vector<RowRef> rows = merged(training);
    std::vector<HeldOut> held_out = held_out_of(evaluation);
    if (options_.stream_records) shuffle(rows);
    if (asks_for_split(options_.val_size)) {
      held_out.emplace_back();
      options_.stream_records ? set_apart(rows, held_out.back().rows)
                              : divide(rows, held_out.back().rows);
    }
    refuse_empty(rows, held_out);
    PreparedData data;
    if (!training.empty()) data.training = gather(rows, "training");
    for (const HeldOut& part : held_out) {
      const std::string title = part.name.empty() ? "evaluation" : "evaluation " + part.name;
      data.evaluations.push_back({part.name, gather(part.rows, title)});
    }
    for (const EncodedSet& set : sets_) {
      data.largest_id = std::max(data.largest_id, set.prepared.about.largest_id);
      set.prepared.rows->let_go();
    }
    if (text_options_.begin) data.largest_id = std::max(data.largest_id, *text_options_.begin);
    data.files = std::move(files_);
    data.sets_from_cache = cache_.found();
    return data;
  }

 private:
  // What can be said of the sets before any of them is read.
  void check(const std::vector<std::string>& names, const std::string& setting) {
    for (const std::string& name : names) {
      try {
        DatasetReader(registry_.find(name, options_.purpose, setting), registry_.folder(),
                      std::nullopt);
      } catch (const UserError& error) {
        faults_.add(error);
      }
    }
  }

  // Indices into sets_.
  std::vector<std::size_t> load(const std::vector<std::string>& names) {
    std::vector<std::size_t> loaded;
    std::set<std::string> seen;
    for (const std::string& name : names) {
      if (!seen.insert(name).second) {
        log_.info(fmt::format("data set '{}' is listed twice; it is loaded once", name));
        continue;
      }
      try {
        load_set(registry_.find(name, options_.purpose));
        loaded.push_back(sets_.size() - 1);
      } catch (const UserError& error) {
        faults_.add(error);
      }
    }
    return loaded;
  }

  void load_set(DatasetEntry entry) {
    EncodedSet set;
    set.name = entry.name;
    // As in LLaMA-Factory, a stream is not sampled.
    if (!options_.stream_records) set.num_samples = entry.num_samples;
    // Which rows a sample takes is known when all are counted.
    const auto max_rows = set.num_samples ? std::nullopt : options_.max_samples;
    const std::filesystem::path& folder = registry_.folder();
    const DatasetReader first(entry, folder, max_rows);
    const bool cached = !options_.cache.folder.empty();
    const std::string files = cached ? files_key(first.paths()) : "";
    const StreamNeed need = streams_ ? stream_need(options_) : StreamNeed();
    set.key = rows_key(encoding_key_ + need.key(), first, files, max_rows);
    set.prepared = cache_.get(
        set.key,
        [&](RowSink& sink) {
          DatasetReader reader(entry, folder, max_rows);
          RowsAbout about;
          about.files = reader.file_names();
          StreamEnd end(need, sink);
          const auto next = [&](Record& record) {
            return !end.reached() && reader.next(record) && end.read(!record.flaw.present());
          };
          about.largest_id =
              encode_rows(next, reader.file_names(), *encoder_, options_.threads, end);
          about.said = reader.finish();
          return about;
        },
        [&] { return files_key(first.paths()) == files; });
    set.first_file = static_cast<std::int32_t>(files_.size());
    const RowsAbout& about = set.prepared.about;
    files_.insert(files_.end(), about.files.begin(), about.files.end());
    for (const SaidLine& line : about.said) log_.line(line.severity, line.text);
    sets_.push_back(std::move(set));
  }

  std::vector<RowRef> merged(const std::vector<std::size_t>& indices) {
    if (indices.empty()) return {};
    std::vector<std::vector<std::int64_t>> taken;
    for (const std::size_t index : indices) {
      const EncodedSet& set = sets_[index];
      std::vector<std::int64_t>& rows = taken.emplace_back();
      const std::int64_t count = set.prepared.rows->count();
      HONE_ASSERT(count <= std::numeric_limits<std::int32_t>::max(), count);
      if (set.num_samples) {
        rows = draw_rows(samples(), count, *set.num_samples);
      } else {
        rows.resize(static_cast<std::size_t>(count));
        std::iota(rows.begin(), rows.end(), std::int64_t{0});
      }
      const auto most = static_cast<std::size_t>(
          options_.max_samples.value_or(static_cast<std::int64_t>(rows.size())));
      if (rows.size() > most) rows.resize(most);
    }
    const bool drawn = options_.mix != MixStrategy::concat && !options_.probabilities.empty();
    if (drawn && options_.probabilities.size() != taken.size()) {
      throw UserError(
          {"interleave_probs",
           fmt::format("{} shares for {} data sets", options_.probabilities.size(), taken.size()),
           "give one share for each data set (one listed twice is loaded once)"});
    }
    std::vector<RowRef> rows =
        mix_rows(taken, options_.mix, drawn ? options_.probabilities : std::vector<double>(),
                 static_cast<std::uint64_t>(options_.seed), options_.stream_records.has_value());
    // From indices into `indices` to indices into sets_.
    for (RowRef& row : rows) {
      row.set = static_cast<std::int32_t>(indices[static_cast<std::size_t>(row.set)]);
    }
    return rows;
  }

  // One generator for all sets, as numpy's global one.
  NumpyLegacyGenerator& samples() {
    if (!samples_) samples_.emplace(static_cast<std::uint32_t>(options_.seed));
    return *samples_;
  }

  // Each set by itself, or all as one; a stream is shuffled then.
  std::vector<HeldOut> held_out_of(const std::vector<std::size_t>& sets) {
    std::vector<HeldOut> parts;
    if (sets.empty()) return parts;
    if (options_.evaluate_each) {
      for (const std::size_t set : sets) parts.push_back({sets_[set].name, merged({set})});
      return parts;
    }
    parts.push_back({"", merged(sets)});
    if (options_.stream_records) shuffle(parts.back().rows);
    return parts;
  }

  void shuffle(std::vector<RowRef>& rows) const {
    std::vector<RowRef> shuffled;
    shuffled.reserve(rows.size());
    for (const std::int64_t row :
         buffer_shuffle(static_cast<std::int64_t>(rows.size()), options_.buffer_rows,
                        static_cast<std::uint64_t>(options_.seed))) {
      shuffled.push_back(rows[static_cast<std::size_t>(row)]);
    }
    rows = std::move(shuffled);
  }

  // The first of a stream are its validation records.
  void set_apart(std::vector<RowRef>& rows, std::vector<RowRef>& held_out) const {
    const auto wanted = std::min(static_cast<std::size_t>(options_.val_size), rows.size());
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(wanted);
    held_out.assign(rows.begin(), middle);
    rows.erase(rows.begin(), middle);
  }

  void divide(std::vector<RowRef>& rows, std::vector<RowRef>& held_out) const {
    const Split split =
        split_records(options_.val_size, options_.seed, static_cast<std::int64_t>(rows.size()));
    std::vector<RowRef> kept;
    kept.reserve(split.training.size());
    for (const std::int64_t index : split.training) {
      kept.push_back(rows[static_cast<std::size_t>(index)]);
    }
    for (const std::int64_t index : split.evaluation) {
      held_out.push_back(rows[static_cast<std::size_t>(index)]);
    }
    rows = std::move(kept);
  }

  const RowInfo& info(const RowRef& row) const {
    return sets_[static_cast<std::size_t>(row.set)].prepared.rows->info(row.row);
  }

  void refuse_empty(const std::vector<RowRef>& rows, const std::vector<HeldOut>& held_out) const {
    const auto usable = [this](const std::vector<RowRef>& refs) {
      return std::any_of(refs.begin(), refs.end(), [this](const RowRef& row) {
        return (info(row).flags & kRowDropped) == 0;
      });
    };
    const bool trains = options_.datasets.empty() || usable(rows);
    const bool measures = std::all_of(held_out.begin(), held_out.end(),
                                      [&](const HeldOut& part) { return usable(part.rows); });
    if (trains && measures) return;
    throw UserError({fmt::format("val_size: {}", options_.val_size),
                     fmt::format("no valid record is left to {} after the split",
                                 trains ? "evaluate on" : "train on"),
                     "set another val_size, or correct the records that were dropped"});
  }

  EncodedRecords gather(const std::vector<RowRef>& rows, const std::string& name) {
    EncodedRecords records;
    for (const RowRef& row : rows) {
      if ((info(row).flags & kRowDropped) == 0) records.report.count(info(row));
      let_go_sometimes();
    }
    if (options_.packing) {
      gather_packs(rows, name, records);
      return records;
    }
    records.dataset.reserve(records.report.records);
    records.origins.reserve(static_cast<std::size_t>(records.report.records));
    for (const EncodedSet& set : sets_) {
      records.dataset.keep(set.prepared.rows, set.prepared.rows->from_files());
    }
    for (const RowRef& row : rows) {
      if ((info(row).flags & kRowDropped) != 0) continue;
      const EncodedSet& set = sets_[static_cast<std::size_t>(row.set)];
      append_row(records, *set.prepared.rows, row.row, set.first_file);
      let_go_sometimes();
    }
    return records;
  }

  // What was looked at of mapped files does not pile up in memory.
  void let_go_sometimes() {
    constexpr std::int64_t kRows = 500'000;
    if (++rows_seen_ % kRows != 0) return;
    for (const EncodedSet& set : sets_) set.prepared.rows->let_go();
  }

  std::string packs_key(const std::vector<RowRef>& rows) const {
    formats::Checksum checksum;
    checksum.add(encoding_key_);
    for (const EncodedSet& set : sets_) checksum.add(set.key);
    for (const RowRef& row : rows) {
      checksum.add(std::int64_t{row.set});
      checksum.add(std::int64_t{row.row});
    }
    return key_of(fmt::format("packs {} {} {} {} {}", checksum.text(), options_.encoding.cutoff_len,
                              options_.apart, options_.packing_batch, options_.packing_workers));
  }

  void gather_packs(const std::vector<RowRef>& rows, const std::string& name,
                    EncodedRecords& records) {
    std::vector<RowInfo> renumbered(1);  // the row that was asked last, its file counted among all
    const RowAt at = [&](std::int64_t place) {
      const RowRef& row = rows[static_cast<std::size_t>(place)];
      const EncodedSet& set = sets_[static_cast<std::size_t>(row.set)];
      renumbered[0] = set.prepared.rows->info(row.row);
      renumbered[0].file += set.first_file;
      let_go_sometimes();
      return RowView{renumbered.data(), set.prepared.rows->numbers(row.row)};
    };
    const PackingOptions packing = {options_.encoding.cutoff_len, options_.packing_batch,
                                    options_.packing_workers, options_.apart};
    const auto count = static_cast<std::int64_t>(rows.size());
    const PreparedRows packs = cache_.get(
        packs_key(rows),
        [&](RowSink& sink) {
          RowsAbout about;
          about.files = files_;
          if (options_.purpose == Purpose::pretraining) {
            about.left_out = pack_texts(count, at, packing, text_options_, sink);
          } else {
            pack_records(count, at, packing, sink);
          }
          return about;
        },
        [] { return true; });
    refuse_no_packs(packs, records.report, name);
    records.dataset.reserve(packs.rows->count());
    records.dataset.keep(packs.rows, packs.rows->from_files());
    for (std::int64_t row = 0; row < packs.rows->count(); ++row) {
      append_row(records, *packs.rows, row, 0);
    }
    packs.rows->let_go();
    log_.info(fmt::format("{}: {} records in {} packs of up to {} tokens", name,
                          records.report.records, packs.rows->count(),
                          options_.encoding.cutoff_len));
    if (packs.about.left_out > 0) {
      log_.info(fmt::format("{}: {} tokens at the ends of batches fill no block and are left out",
                            name, packs.about.left_out));
    }
  }

  void refuse_no_packs(const PreparedRows& packs, const EncodingReport& report,
                       const std::string& name) const {
    if (packs.rows->count() > 0) return;
    throw UserError({fmt::format("the {} data", name),
                     fmt::format("{} tokens in all, where a block takes {}", report.tokens,
                                 options_.encoding.cutoff_len),
                     "set a smaller cutoff_len, or packing: false, or add texts"});
  }

  const PreparationOptions& options_;
  LogSink& log_;
  DatasetRegistry registry_;
  formats::PosixFileSystem system_;
  RowsCache cache_;
  std::string encoding_key_;
  std::string template_name_;
  PretrainingOptions text_options_;
  std::unique_ptr<RowEncoder> encoder_;
  std::optional<NumpyLegacyGenerator> samples_;
  std::vector<EncodedSet> sets_;
  std::vector<std::string> files_;
  std::int64_t rows_seen_ = 0;
  bool streams_ = false;  // the sets that are loaded are read no further than needed
  FaultList faults_;
};

}  // namespace

PreparedData prepare_data(const PreparationOptions& options, const Template& chat,
                          const Tokenizer& tokenizer, LogSink& log) {
  HONE_ASSERT(!options.datasets.empty() || !options.eval_datasets.empty());
  HONE_ASSERT(!(options.stream_records && options.packing && options.packing_workers > 1));
  HONE_ASSERT(options.eval_datasets.empty() || !asks_for_split(options.val_size), options.val_size);
  return Preparation(options, chat, tokenizer, log).prepare();
}

}  // namespace hone::data
