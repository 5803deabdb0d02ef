#include "checkpoint/exporter.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "checkpoint/model_card.h"
#include "formats/json.h"
#include "model/adapters/merged_weights.h"
#include "unit/checkpoint/tiny_run.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/stopping_file_system.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;
using formats::expect_fault;
using formats::TemporaryFolder;

class Exporter : public testing::Test {
 protected:
  void SetUp() override { kit::write_model(base()); }

  fs::path base() const { return place_.path() / "base"; }
  fs::path target() const { return place_.path() / "deep" / "export"; }

  SavedCheckpoint export_to(const ExportOptions& options, const model::WeightFiles& weights) {
    const model::Decoder decoder(model::describe_model(kit::kit_config({}), "config.json"));
    return export_model(system_, decoder, weights, {kit::kit_config({}), {}},
                        {{"tokenizer.json", "{}"}, {"tokenizer_config.json", "{\"a\": \"é\"}"}},
                        options);
  }

  TemporaryFolder place_;
  formats::UnsyncedFileSystem system_;
};

TEST_F(Exporter, WritesTheModelAsItIs) {
  const std::unique_ptr<model::WeightFiles> weights = model::open_safetensors_weights(base());
  const SavedCheckpoint saved = export_to({target(), {base()}, DType::f32, 20000}, *weights);
  EXPECT_EQ(saved.path, target().string());
  const formats::SafetensorsModel exported(target());
  EXPECT_EQ(exported.files().size(), 3U);
  EXPECT_EQ(exported.tensor_count(), 21U);
  for (const std::string& name : weights->names()) {
    const ConstTensorView from = weights->mapped(name);
    const ConstTensorView to = exported.view(name);
    ASSERT_EQ(to.dtype(), DType::f32);
    EXPECT_EQ(std::memcmp(from.raw(), to.raw(), from.bytes()), 0) << name;
  }
  std::uintmax_t bytes = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(target())) {
    bytes += entry.file_size();
  }
  EXPECT_EQ(saved.size_bytes, bytes);
  EXPECT_EQ(TemporaryFolder::read(target() / "tokenizer_config.json"),
            "{\n  \"a\": \"é\",\n  \"padding_side\": \"left\"\n}\n");
  EXPECT_EQ(TemporaryFolder::read(target() / "tokenizer.json"), "{}");
}

TEST_F(Exporter, MergesAndNarrows) {
  TinyRun run;
  run.pretend(1);
  fs::create_directory(place_.path() / "adapter");
  write_model_files(system_, place_.path() / "adapter", run.files());
  const std::unique_ptr<model::WeightFiles> weights = model::open_safetensors_weights(base());
  const std::unique_ptr<model::WeightFiles> merged = model::merge_adapter(
      *weights, model::PeftAdapter(place_.path() / "adapter"), run.decoder.description);
  export_to({target(), {base()}, DType::bf16, kDefaultShardBytes}, *merged);
  const formats::SafetensorsModel exported(target());
  EXPECT_EQ(formats::read_json(target() / "config.json").find("torch_dtype")->string(), "bfloat16");
  for (const std::string& name : weights->names()) {
    SCOPED_TRACE(name);
    const ConstTensorView to = exported.view(name);
    ASSERT_EQ(to.dtype(), DType::bf16);
    std::vector<BFloat16> wanted(static_cast<std::size_t>(to.elements()));
    merged->read(name, TensorView(wanted.data(), DType::bf16, to.shape()));
    EXPECT_EQ(std::memcmp(wanted.data(), to.raw(), to.bytes()), 0);
    std::vector<BFloat16> plain(wanted.size());
    weights->read(name, TensorView(plain.data(), DType::bf16, to.shape()));
    const bool adapted =
        name.find("q_proj") != std::string::npos || name.find("v_proj") != std::string::npos;
    EXPECT_EQ(std::memcmp(plain.data(), to.raw(), to.bytes()) != 0, adapted);
  }
}

TEST_F(Exporter, RefusesToWriteOverWhatItReads) {
  const std::unique_ptr<model::WeightFiles> weights = model::open_safetensors_weights(base());
  expect_fault([&] { export_to({base(), {base()}, DType::f32, kDefaultShardBytes}, *weights); },
               "export_dir: " + base().string(), "the folder that the run reads from");
  std::ofstream(place_.path() / "file") << "text";
  expect_fault(
      [&] {
        export_to({place_.path() / "file", {base()}, DType::f32, kDefaultShardBytes}, *weights);
      },
      "export_dir: ", "is a file");
}

TEST_F(Exporter, WritesTextsBesideTheModel) {
  const std::unique_ptr<model::WeightFiles> weights = model::open_safetensors_weights(base());
  export_to({target(), {base()}, DType::f32, kDefaultShardBytes, {{"Modelfile", "FROM .\n"}}},
            *weights);
  EXPECT_EQ(TemporaryFolder::read(target() / "Modelfile"), "FROM .\n");
  EXPECT_TRUE(fs::exists(target() / "config.json"));
}

TEST_F(Exporter, ThatFailsLeavesNoFolder) {
  const model::Decoder decoder(model::describe_model(kit::kit_config({}), "config.json"));
  // Weights that are not there: refused when the first is read.
  const auto promised = model::promise_weights(decoder.registry, DType::f32, "config.json");
  expect_fault([&] { export_to({target(), {base()}, DType::f32, kDefaultShardBytes}, *promised); },
               "", "");
  EXPECT_FALSE(fs::exists(target().parent_path()));
}

TEST(ExportDtype, NarrowsF32UnlessToldNotTo) {
  EXPECT_EQ(export_dtype(std::nullopt, DType::f32), DType::bf16);
  EXPECT_EQ(export_dtype(std::nullopt, DType::bf16), DType::bf16);
  EXPECT_EQ(export_dtype(std::nullopt, DType::f16), DType::f16);
  EXPECT_EQ(export_dtype(DType::f32, DType::bf16), DType::f32);
}

TEST(ModelCard, SaysWhatWasTrainedFromWhat) {
  const std::string text = model_card_text({.title = "my run",
                                            .base_model = "org/base",
                                            .datasets = {"a", "b"},
                                            .adapter = true,
                                            .finetuning_type = "lora",
                                            .evaluation = {{"loss", "1.25"}},
                                            .hyperparameters = {{"learning_rate", "5e-05"}},
                                            .version = "0.1"});
  EXPECT_EQ(text.substr(0, text.find("\n\n")),
            "---\nlibrary_name: peft\nlicense: other\nbase_model: org/base\ntags:\n"
            "- \"base_model:adapter:org/base\"\n- hone\n- lora\n- transformers\n"
            "pipeline_tag: text-generation\nmodel-index:\n- name: \"my run\"\n  results: []\n---");
  EXPECT_NE(text.find("# my run\n\nThis model was fine-tuned from `org/base` on the a and b data "
                      "sets.\n"),
            std::string::npos);
  EXPECT_NE(text.find("\n- loss: 1.25\n"), std::string::npos);
  EXPECT_NE(text.find("### Training hyperparameters\n\n- learning_rate: 5e-05\n"),
            std::string::npos);
  EXPECT_NE(text.find("- hone 0.1\n"), std::string::npos);
  const std::string full = model_card_text({.title = "t",
                                            .base_model = "",
                                            .datasets = {"a"},
                                            .adapter = false,
                                            .finetuning_type = "full",
                                            .evaluation = {},
                                            .hyperparameters = {},
                                            .version = "0.1"});
  EXPECT_NE(full.find("library_name: transformers\n"), std::string::npos);
  EXPECT_EQ(full.find("base_model"), std::string::npos);
  EXPECT_EQ(full.find("evaluation set it"), std::string::npos);
  EXPECT_NE(full.find("This model was fine-tuned on the a data set.\n"), std::string::npos);
}

}  // namespace
}  // namespace hone::checkpoint
