#include "assemble/offload_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "report/units.h"

namespace hone::assemble {
namespace {

// Of an array's bytes, those of one piece.
std::size_t piece_bytes(const PlanRow& row) {
  const auto most = static_cast<std::size_t>(kPieceElements) * size_bytes(DType::f32);
  return std::min(row.bytes, most);
}

}  // namespace

void OffloadFiles::add(const std::string& what, const std::filesystem::path& folder,
                       const std::string& asked, const BufferList& buffers, Plan& plan) {
  Store store{what, folder, asked, &buffers, {}, nullptr, nullptr};
  buffers.describe(store.plan);
  for (const PlanRow& row : store.plan.rows()) {
    plan.add(
        {row.name + ": the piece at work", row.category, piece_bytes(row), Lifetime::run, true});
  }
  stores_.push_back(std::move(store));
}

std::size_t OffloadFiles::bytes_of(Category category) const {
  std::size_t sum = 0;
  for (const Store& store : stores_) sum += store.plan.bytes_of(category);
  return sum;
}

std::vector<std::string> OffloadFiles::summary() const {
  std::vector<std::string> lines;
  for (const Store& store : stores_) {
    lines.push_back(fmt::format("{}: {} in files of {}", store.what,
                                report::bytes_text(store.plan.arena_bytes()),
                                store.folder.string()));
  }
  return lines;
}

void OffloadFiles::check() const {
  for (const Store& store : stores_) {
    const FileDevice device(store.folder, store.asked);
    const std::size_t free = device.properties().memory_bytes;
    if (store.plan.arena_bytes() <= free) continue;
    throw UserError(
        {fmt::format("{}: {} of {}", store.asked, report::bytes_text(store.plan.arena_bytes()),
                     store.what),
         fmt::format("{} are free in {}", report::bytes_text(free), store.folder.string()),
         "name a folder on a disk with more room"});
  }
}

void OffloadFiles::take() {
  for (Store& store : stores_) {
    store.device = std::make_unique<FileDevice>(store.folder, store.asked);
    store.arena = std::make_unique<Arena>(*store.device, store.plan);
    store.buffers->bind(*store.arena);
  }
}

DoneWith OffloadFiles::done_with() {
  return [this](const ConstTensorView& values) {
    for (Store& store : stores_) store.device->set_aside(values.raw(), values.bytes());
  };
}

void OffloadFiles::set_all_aside() {
  for (Store& store : stores_) store.device->set_all_aside();
}

}  // namespace hone::assemble
