#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

constexpr Entry kEntries[] = {
    {"ENV-01", Grade::failure, false, "The disk is full.",
     "A checkpoint with optimizer states is several times the model's size, and old ones are kept.",
     "free space, set save_total_limit, or choose another output_dir",
     "no space left on device\nstoragefull\nenospc"},
    {"ENV-02", Grade::failure, false, "The quota is used up, though the disk may have space.",
     "The user or project may store only so much there, or `ulimit -f` limits the size of a file.",
     "choose another output_dir (and HF_HOME), or ask for more quota; for a file too large `ulimit "
     "-f unlimited`",
     "!disk quota exceeded\n!file too large\nedquot"},
    {"ENV-03", Grade::failure, false,
     "The place where models are downloaded from cannot be reached.",
     "No route, a proxy that was not passed on, or a blocked region.",
     "give a local folder as model_name_or_path; elsewhere set HTTPS_PROXY, a mirror in "
     "HF_ENDPOINT, or "
     "HF_HUB_OFFLINE=1 when the files are cached",
     "couldn't connect to 'https://huggingface.co'\nhuggingface.co*timed out\n"
     "huggingface.co*max retries exceeded\nlocalentrynotfounderror\nmodelscope*connection"},
    {"ENV-04", Grade::failure, false, "The model may not be downloaded by this user.",
     "Its licence was not accepted, the token is missing, or the name is wrong.",
     "accept the licence on the model's page and set HF_TOKEN; check the name",
     "gatedrepoerror\nrepositorynotfounderror\naccess to model*is restricted\n"
     "401 client error*huggingface.co\n403 client error*huggingface.co\n"
     "404 client error*huggingface.co"},
    {"ENV-05", Grade::note, true, "The container filters system calls.",
     "The usual profile of Docker forbids some calls that ROCm and debuggers make.",
     "`--security-opt seccomp=unconfined --cap-add=SYS_PTRACE` if calls fail with 'Operation not "
     "permitted'",
     "set_mempolicy*operation not permitted\nmbind*operation not permitted\n"
     "ptrace*operation not permitted\nprocess_vm_readv*operation not permitted"},
    {"ENV-06", Grade::failure, false, "A file of weights is broken or only a pointer.",
     "A download was cut off, or git-lfs did not fetch the file.",
     "delete the file and download it again (`git lfs pull` for pointers)",
     "version https://git-lfs\nheadertoolarge\nmetadataincompletebuffer\n"
     "error while deserializing header\ninvalidheaderdeserialization"},
    {"ENV-07", Grade::failure, true, "HSA_OVERRIDE_GFX_VERSION is not written as it must be.",
     "It wants three numbers with dots.", "write 11.0.0 for gfx1100, or unset it",
     "!hsa_override_gfx_version*is invalid"},
    {"ENV-08", Grade::warning, true, "Variables of an earlier search for errors are still set.",
     "They make runs several times slower, or write huge logs.", "unset them"},
};

}  // namespace

std::span<const Entry> environment_entries() {
  return kEntries;
}

}  // namespace hone::doctor
