#include "data/prepared/rows_folder.h"

#include <span>
#include <utility>

#include "base/error.h"
#include "formats/json.h"
#include "formats/json_writer.h"
#include "formats/mapped_file.h"

namespace hone::data {
namespace {

namespace fs = std::filesystem;
using formats::Value;

constexpr std::int64_t kFormat = 1;
constexpr const char* kInfoFile = "rows.bin";
constexpr const char* kNumberFile = "ids.bin";
constexpr const char* kAboutFile = "about.json";
// Files up to this size are read whole when they are opened; of larger ones each record is checked
// when it is used.
constexpr std::size_t kWholeCheckBytes = std::size_t{64} << 20;

const fs::path& made(formats::FileSystem& system, const fs::path& folder) {
  system.create_folder(folder);
  return folder;
}

[[noreturn]] void refuse(const fs::path& folder, std::string found) {
  throw UserError({"prepared records in " + formats::shown_path(folder), std::move(found),
                   "remove the folder, or set overwrite_cache: true"});
}

RowsAbout read_about(const formats::JsonObject& json) {
  RowsAbout about;
  about.largest_id = static_cast<std::int32_t>(json.integer("largest_id"));
  about.left_out = json.integer("left_out");
  for (const Value& file : json.array("files")) {
    about.files.push_back(file.is_string() ? file.string() : "");
  }
  for (const Value& line : json.array("said")) {
    const formats::Array* parts = line.get_array();
    if (parts == nullptr || parts->size() != 2 || !(*parts)[0].is_string() ||
        !(*parts)[1].is_string()) {
      continue;
    }
    const bool warning = (*parts)[0].string() == "warning";
    about.said.push_back({warning ? Severity::warning : Severity::info, (*parts)[1].string()});
  }
  return about;
}

// Every row lies inside the array and says of itself what can be.
bool rows_fit(std::span<const RowInfo> infos, std::uint64_t numbers, std::size_t files) {
  std::uint64_t end = 0;
  for (const RowInfo& info : infos) {
    if (info.tokens < 0 || info.segments < 0 || info.offset != end || info.file < 0 ||
        static_cast<std::size_t>(info.file) >= files) {
      return false;
    }
    end += 2 * static_cast<std::uint64_t>(info.tokens) + static_cast<std::uint64_t>(info.segments);
    if (end > numbers) return false;
  }
  return end == numbers;
}

bool rows_intact(const EncodedRows& rows) {
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    if (checksum_of(rows.numbers(row)) != rows.info(row).checksum) return false;
  }
  return true;
}

}  // namespace

RowsFolderWriter::RowsFolderWriter(formats::FileSystem& system, fs::path folder)
    : system_(system),
      folder_(std::move(folder)),
      infos_(system, made(system, folder_) / kInfoFile, formats::FileWriter::Placement::in_place),
      numbers_(system, folder_ / kNumberFile, formats::FileWriter::Placement::in_place) {}

void RowsFolderWriter::add(EncodedRow& row) {
  row.info.offset = numbers_written_;
  numbers_written_ += row.numbers.size();
  ++rows_;
  const auto info = std::as_bytes(std::span(&row.info, 1));
  checksum_.add(info);
  infos_.write(info);
  numbers_.write(std::as_bytes(std::span(row.numbers)));
}

void RowsFolderWriter::finish(const RowsAbout& about, const std::string& key) {
  infos_.commit();
  numbers_.commit();
  formats::Array files(about.files.begin(), about.files.end());
  formats::Array said;
  for (const SaidLine& line : about.said) {
    const char* severity = line.severity == Severity::warning ? "warning" : "info";
    said.push_back(formats::Array{severity, line.text});
  }
  const Value json = formats::Object{{"format", kFormat},
                                     {"key", key},
                                     {"rows", rows_},
                                     {"ids", static_cast<std::int64_t>(numbers_written_)},
                                     {"xxh64", checksum_.text()},
                                     {"largest_id", static_cast<std::int64_t>(about.largest_id)},
                                     {"left_out", about.left_out},
                                     {"files", std::move(files)},
                                     {"said", std::move(said)}};
  formats::FileWriter writer(system_, folder_ / kAboutFile,
                             formats::FileWriter::Placement::in_place);
  writer.write(formats::dump_python(json, {.indent = 2}));
  writer.commit();
}

PreparedRows open_rows_folder(const fs::path& folder, const std::string& key) {
  const std::string about_file = formats::shown_path(folder / kAboutFile);
  const Value value = formats::read_json(folder / kAboutFile);
  const formats::JsonObject json(value, about_file);
  if (json.integer("format") != kFormat) refuse(folder, "written by another version of hone");
  if (!key.empty() && json.string("key") != key) refuse(folder, "they are of other data");
  formats::MappedFile infos(folder / kInfoFile);
  formats::MappedFile numbers(folder / kNumberFile);
  const auto rows = static_cast<std::uint64_t>(json.integer("rows"));
  const auto ids = static_cast<std::uint64_t>(json.integer("ids"));
  if (infos.size_bytes() / sizeof(RowInfo) != rows || infos.size_bytes() % sizeof(RowInfo) != 0 ||
      numbers.size_bytes() / sizeof(std::int32_t) != ids ||
      numbers.size_bytes() % sizeof(std::int32_t) != 0) {
    refuse(folder, "a file is shorter or longer than it was written");
  }
  formats::Checksum checksum;
  checksum.add(infos.bytes());
  PreparedRows prepared;
  prepared.about = read_about(json);
  const std::span<const RowInfo> listed(reinterpret_cast<const RowInfo*>(infos.bytes().data()),
                                        static_cast<std::size_t>(rows));
  const bool small = numbers.size_bytes() <= kWholeCheckBytes;
  if (checksum.text() != json.string("xxh64") ||
      !rows_fit(listed, ids, prepared.about.files.size())) {
    refuse(folder, "their bytes were changed");
  }
  prepared.rows = std::make_shared<const EncodedRows>(std::move(infos), std::move(numbers));
  if (small && !rows_intact(*prepared.rows)) refuse(folder, "their bytes were changed");
  prepared.rows->let_go();
  return prepared;
}

}  // namespace hone::data
