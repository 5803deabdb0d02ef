// What a run's ranks share out, and where it lies: DeepSpeed's ZeRO and PyTorch's FSDP as plain
// values. A DeepSpeed file, `fsdp` and accelerate's YAML all end here (Settings::zero); whoever
// trains on ranks reads this and nothing of the files.
//
// Free of contradictions: the optimizer's state lies elsewhere than on the device from stage 1 on,
// parameters at stage 3 only.
#pragma once

#include <filesystem>
#include <string>

namespace hone::config {

// DeepSpeed's stages by their numbers: nothing is shared out, optimizer state, gradients too,
// weights too. The same numbers as parallel::Stage.
enum class ZeroStage { replicated = 0, optimizer_state = 1, gradients = 2, parameters = 3 };

enum class OffloadTo { device, host, disk };  // DeepSpeed: none, cpu, nvme

// Where one part of the model's state lies while nobody computes with it.
struct Offload {
  OffloadTo to = OffloadTo::device;
  std::filesystem::path folder;  // of disk (nvme_path); empty otherwise

  bool operator==(const Offload&) const = default;
};

struct ZeroOptions {
  // Who asked for it, for people: "deepspeed: 'ds_z3.json' (run.yaml, line 4)". Empty: nobody did,
  // and several ranks replicate (PyTorch's DDP).
  std::string source;

  ZeroStage stage = ZeroStage::replicated;
  Offload optimizer;
  Offload parameters;

  // At stage 3: a save writes the ordinary model folder. False asks for the ranks' shards alone.
  bool gather_weights_on_save = true;

  bool operator==(const ZeroOptions&) const = default;
};

// "stage 3, optimizer state in the host's memory": all of it but who asked for it and the folders.
std::string to_text(const ZeroOptions& zero);

}  // namespace hone::config
