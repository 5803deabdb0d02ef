#include "model/weights/gguf_weights.h"

#include <array>
#include <utility>

#include "base/error.h"
#include "formats/gguf_dequantize.h"
#include "model/families/family.h"

namespace hone::model {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWholeNames = {{
    {"model.embed_tokens", "token_embd"},
    {"model.norm", "output_norm"},
    {"lm_head", "output"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kBlockNames = {{
    {"input_layernorm", "attn_norm"},
    {"self_attn.q_proj", "attn_q"},
    {"self_attn.k_proj", "attn_k"},
    {"self_attn.v_proj", "attn_v"},
    {"self_attn.o_proj", "attn_output"},
    {"self_attn.q_norm", "attn_q_norm"},
    {"self_attn.k_norm", "attn_k_norm"},
    {"post_attention_layernorm", "ffn_norm"},
    {"mlp.gate_proj", "ffn_gate"},
    {"mlp.up_proj", "ffn_up"},
    {"mlp.down_proj", "ffn_down"},
}};

constexpr std::string_view kHfBlocks = "model.layers.";
constexpr std::string_view kGgufBlocks = "blk.";

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// Renames "<module>.weight" or ".bias"; `to_gguf` gives the direction.
std::string renamed(const std::string& name, bool to_gguf) {
  const std::size_t end = name.rfind('.');
  if (end == std::string::npos) return {};
  const std::string_view path = std::string_view(name).substr(0, end);
  const std::string kind = name.substr(end);
  const auto side = [to_gguf](const auto& pair, bool target) {
    return target == to_gguf ? pair.second : pair.first;
  };
  for (const auto& pair : kWholeNames) {
    if (path == side(pair, false)) return std::string(side(pair, true)) + kind;
  }
  const std::string_view from_blocks = to_gguf ? kHfBlocks : kGgufBlocks;
  if (!starts_with(path, from_blocks)) return {};
  const std::string_view rest = path.substr(from_blocks.size());
  const std::size_t dot = rest.find('.');
  if (dot == std::string_view::npos) return {};
  for (const auto& pair : kBlockNames) {
    if (rest.substr(dot + 1) != side(pair, false)) continue;
    return std::string(to_gguf ? kGgufBlocks : kHfBlocks) + std::string(rest.substr(0, dot + 1)) +
           std::string(side(pair, true)) + kind;
  }
  return {};
}

class GgufWeights final : public WeightFiles {
 public:
  GgufWeights(const formats::GgufFile& file, const ModelDescription& description)
      : file_(file), description_(description) {
    const Family& family =
        family_of_model_type(description.model_type, file.file().path().string());
    permuted_ = family.gguf_permutes_query_and_key;
  }

  std::optional<StoredWeight> find(const std::string& name) const override {
    const formats::GgufTensor* tensor = file_.find_tensor(gguf_name(name));
    if (tensor == nullptr) return std::nullopt;
    if (!formats::can_dequantize(*tensor->type)) {
      throw UserError(
          {"tensor '" + std::string(tensor->name) + "' in " + source(),
           "stored as " + std::string(tensor->type->name) + ", which hone does not read",
           "use a file with F32, F16, BF16, Q4_0, Q4_1, Q8_0, Q4_K or Q6_K"});
    }
    const ConstTensorView in_place = view_of(*tensor);
    return StoredWeight{tensor->shape, in_place.present() ? in_place.dtype() : DType::f32,
                        std::string(tensor->type->name),
                        in_place.present() && heads_to_reorder(name) == 0};
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const formats::GgufTensor& tensor : file_.tensors()) {
      const std::string original(tensor.name);
      // Rotary factors are part of the configuration (gguf_config).
      if (original == "rope_freqs.weight") continue;
      const std::string name = hf_name(original);
      names.push_back(name.empty() ? original : name);
    }
    return names;
  }

  ConstTensorView mapped(const std::string& name) const override {
    return view_of(*file_.find_tensor(gguf_name(name)));
  }

  void read(const std::string& name, const TensorView& to) const override {
    const formats::GgufTensor& tensor = *file_.find_tensor(gguf_name(name));
    const TensorView matrix = to.shape().rank() == 1 ? to.reshape({1, to.elements()}) : to;
    const std::int64_t rows = matrix.rows();
    const std::int64_t heads = heads_to_reorder(name);
    const std::span<const std::byte> bytes = file_.bytes(tensor);
    const std::size_t row_bytes = rows == 0 ? 0 : bytes.size() / static_cast<std::size_t>(rows);
    std::vector<float> row(static_cast<std::size_t>(matrix.columns()));
    std::size_t let_go = 0;  // bytes whose pages have left the memory again
    for (std::int64_t r = 0; r < rows; ++r) {
      formats::dequantize(*tensor.type,
                          bytes.subspan(static_cast<std::size_t>(r) * row_bytes, row_bytes), row);
      const ConstTensorView from(row.data(), DType::f32, {1, matrix.columns()});
      convert_weight(from, matrix.slice(heads > 0 ? hf_row(r, rows / heads) : r, 1));
      const std::size_t done = static_cast<std::size_t>(r + 1) * row_bytes;
      if (done - let_go < kBytesAtOnce && r + 1 < rows) continue;
      file_.file().let_go(bytes.subspan(let_go, done - let_go));
      let_go = done;
    }
  }

  std::string source() const override { return file_.file().path().string(); }

 private:
  // Row `r` of the file as a row of the Hugging Face weight, for heads of `width` rows.
  static std::int64_t hf_row(std::int64_t r, std::int64_t width) {
    const std::int64_t within = r % width;
    return r - within + (within % 2) * (width / 2) + within / 2;
  }

  // How many heads' rows are in the other order; 0: none.
  std::int64_t heads_to_reorder(const std::string& name) const {
    if (!permuted_) return 0;
    if (name.find("self_attn.q_proj.") != std::string::npos) return description_.heads;
    if (name.find("self_attn.k_proj.") != std::string::npos) return description_.kv_heads;
    return 0;
  }

  ConstTensorView view_of(const formats::GgufTensor& tensor) const {
    const auto dtype = dtype_from_name(lower(tensor.type->name));
    if (!dtype || !(*dtype == DType::f32 || *dtype == DType::f16 || *dtype == DType::bf16)) {
      return {};
    }
    return ConstTensorView(file_.bytes(tensor).data(), *dtype, tensor.shape);
  }

  static std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
  }

  // A big tensor that is copied should not be in memory twice.
  static constexpr std::size_t kBytesAtOnce = std::size_t{8} << 20;

  const formats::GgufFile& file_;
  ModelDescription description_;
  bool permuted_ = false;
};

}  // namespace

std::string gguf_name(const std::string& hf_name) {
  return renamed(hf_name, true);
}

std::string hf_name(const std::string& gguf_name) {
  return renamed(gguf_name, false);
}

std::unique_ptr<WeightFiles> open_gguf_weights(const formats::GgufFile& file,
                                               const ModelDescription& description) {
  return std::make_unique<GgufWeights>(file, description);
}

}  // namespace hone::model
