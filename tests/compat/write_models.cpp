// Writes models as hone saves them, and the logits that hone computes of each, for load_in_peft.py.
//
//   write_models BASE ADAPTER OUT
//
// BASE is a model folder, ADAPTER a PEFT adapter of it, or - for none. OUT gets: adapter/ (the
// adapter with all values halved, as a run saves it), merged_f32/ and merged_bf16/ (exports), full/
// (the base with its trained weights, all values times 1.25, in shards), and logits.json: {folder:
// rows}, and the ids that they are of.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "checkpoint/exporter.h"
#include "checkpoint/final_model.h"
#include "formats/json_writer.h"
#include "golden/model_run.h"
#include "kernels/cpu/cpu_table.h"
#include "model/adapters/merged_weights.h"
#include "model/adapters/peft_adapter.h"

namespace hone::golden {
namespace {

namespace fs = std::filesystem;
using formats::Array;
using formats::Value;

const std::vector<std::int32_t> kIds = {5, 17, 3, 88, 41, 5, 60, 2};

Value logits_of(ModelRun& run) {
  Pack pack({kIds});
  pack.rows.clear();
  for (std::size_t t = 0; t < kIds.size(); ++t) pack.rows.push_back(static_cast<std::int32_t>(t));
  const TensorView logits = run.walk->logits(pack.view());
  Array rows;
  for (std::int64_t t = 0; t < logits.rows(); ++t) {
    Array row;
    for (std::int64_t v = 0; v < logits.columns(); ++v) {
      row.emplace_back(static_cast<double>(logits.row<float>(t)[v]));
    }
    rows.emplace_back(std::move(row));
  }
  return rows;
}

void scale(const TensorView& flat, float factor) {
  for (std::int64_t i = 0; i < flat.elements(); ++i) flat.data<float>()[i] *= factor;
}

class Writer {
 public:
  Writer(fs::path base, fs::path adapter, fs::path out)
      : base_(std::move(base)), adapter_(std::move(adapter)), out_(std::move(out)) {
    fs::create_directories(out_ / "adapter");
    fs::create_directories(out_ / "full");
    configuration_.config = formats::read_json(base_ / "config.json");
    description_ = model::describe_model(configuration_.config, "config.json");
  }

  void write() {
    if (adapter_ != "-") {
      write_adapter();
      write_exported("merged_f32", DType::f32);
      write_exported("merged_bf16", DType::bf16);
    }
    write_full();
    Array ids;
    for (const std::int32_t id : kIds) ids.emplace_back(std::int64_t{id});
    logits_.set("ids", ids);
    std::ofstream(out_ / "logits.json") << formats::dump_python(logits_);
  }

 private:
  void write_adapter() {
    const model::PeftAdapter read(adapter_);
    const model::LoraOptions options = read.options_for(model::Decoder(description_));
    ModelRun run(base_, kernels::cpu_table(), Train::adapters, &options);
    const TensorView& flat = run.weights->trainable();
    read.load(run.decoder.registry, *run.layout, flat);
    scale(flat, 0.5f);
    checkpoint::save_final_model(
        system_, out_ / "adapter",
        checkpoint::adapter_files(run.decoder, options, base_.string(), *run.layout, flat));
    logits_.set("adapter", logits_of(run));
  }

  void write_exported(const std::string& name, DType dtype) {
    const std::unique_ptr<model::WeightFiles> weights = model::open_safetensors_weights(base_);
    const std::unique_ptr<model::WeightFiles> merged =
        model::merge_adapter(*weights, model::PeftAdapter(adapter_), description_);
    checkpoint::export_model(system_, model::Decoder(description_), *merged, configuration_, {},
                             {out_ / name, {base_}, dtype, 20000});
    ModelRun run(out_ / name, kernels::cpu_table(), Train::nothing);
    logits_.set(name, logits_of(run));
  }

  void write_full() {
    ModelRun run(base_, kernels::cpu_table(), Train::everything);
    const TensorView& flat = run.weights->trainable();
    scale(flat, 1.25f);
    checkpoint::ModelFiles files =
        checkpoint::full_model_files(run.decoder, run.decoder.registry.size(), *run.layout, flat,
                                     *run.files, configuration_, DType::f32);
    files.max_file_bytes = 20000;
    checkpoint::save_final_model(system_, out_ / "full", files);
    logits_.set("full", logits_of(run));
  }

  fs::path base_, adapter_, out_;
  checkpoint::BaseConfiguration configuration_;
  model::ModelDescription description_;
  formats::PosixFileSystem system_;
  Value logits_;
};

}  // namespace
}  // namespace hone::golden

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: write_models BASE ADAPTER OUT\n";
    return 2;
  }
  hone::golden::Writer(argv[1], argv[2], argv[3]).write();
  return 0;
}
