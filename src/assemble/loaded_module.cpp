#include "assemble/loaded_module.h"

#include <dlfcn.h>

#include <filesystem>

#include "base/error.h"
#include "base/version.h"

namespace hone::assemble {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libhone_gpu.so";

// Where the library lies that holds this function.
fs::path module_path() {
  Dl_info info = {};
  const bool known = dladdr(reinterpret_cast<const void*>(&load_gpu_module), &info) != 0 &&
                     info.dli_fname != nullptr;
  return known ? fs::path(info.dli_fname).parent_path() / kFile : fs::path(kFile);
}

// "libamdhip64.so.6" of "libamdhip64.so.6: cannot open shared object file: ..."; else empty.
std::string missing_library(const std::string& error) {
  const std::size_t end = error.find(": cannot open shared object file");
  return end == std::string::npos ? std::string() : error.substr(0, end);
}

[[noreturn]] void refuse(const std::string& asked, const fs::path& path, const std::string& error) {
  const std::string library = missing_library(error);
  if (library.empty()) {
    throw UserError({asked, "the GPU module could not be loaded: " + error,
                     "run `hone doctor`, which looks at ROCm's libraries; or set device: cpu"});
  }
  throw UserError({asked, path.string() + " wants " + library + ", which is not on this machine",
                   "install the ROCm version that has it, or name its folder in LD_LIBRARY_PATH; "
                   "`hone doctor` says what is there. Or set device: cpu"});
}

}  // namespace

bool gpu_module_is_there() {
  std::error_code ignored;
  return fs::exists(module_path(), ignored);
}

const GpuModule& load_gpu_module(const std::string& asked) {
  const fs::path path = module_path();
  if (!gpu_module_is_there()) {
    throw UserError({asked, "this hone has no GPU module: " + path.string() + " is not there",
                     "build it on a machine with ROCm (`./run build gpu`), or set device: cpu"});
  }
  // Never closed: ROCm's libraries do not survive that.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(asked, path, dlerror());
  const auto entry = reinterpret_cast<GpuModuleEntry>(dlsym(library, kGpuModuleEntry));
  if (entry == nullptr) refuse(asked, path, std::string("it has no ") + kGpuModuleEntry);
  const GpuModule& module = *entry();
  if (module.version != version()) {
    throw UserError({asked,
                     path.string() + " is of hone " + module.version + ", this is hone " +
                         std::string(version()),
                     "install both from one build"});
  }
  return module;
}

}  // namespace hone::assemble
