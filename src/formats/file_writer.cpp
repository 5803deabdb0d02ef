#include "formats/file_writer.h"

#include <exception>
#include <utility>

#include "base/error.h"

namespace hone::formats {
namespace {

// Small writes are gathered up to this; a larger one goes straight through.
constexpr std::size_t kBufferBytes = 1 << 20;

std::filesystem::path partial_name(const std::filesystem::path& file) {
  std::filesystem::path partial = file;
  partial += ".partial";
  return partial;
}

}  // namespace

FileWriter::FileWriter(FileSystem& files, std::filesystem::path file, Placement placement)
    : files_(files),
      file_(std::move(file)),
      open_name_(placement == Placement::atomic ? partial_name(file_) : file_),
      placement_(placement),
      handle_(files_.create(open_name_)) {}

FileWriter::~FileWriter() {
  if (committed_) return;
  if (open_) files_.close(handle_);
  try {
    files_.remove(open_name_);
  } catch (const std::exception&) {
    // Most likely the disk that failed before; a left-over `.partial` is never read.
  }
}

void FileWriter::write(std::span<const std::byte> bytes) {
  HONE_ASSERT(open_, file_);
  written_bytes_ += bytes.size();
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() >= kBufferBytes) {
    files_.write(handle_, open_name_, bytes);
  } else {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
}

void FileWriter::write(std::string_view text) {
  write(std::as_bytes(std::span(text)));
}

void FileWriter::flush() {
  if (!buffer_.empty()) files_.write(handle_, open_name_, buffer_);
  buffer_.clear();
}

void FileWriter::commit() {
  HONE_ASSERT(open_, file_);
  flush();
  files_.sync(handle_, open_name_);
  files_.close(handle_);
  open_ = false;
  if (placement_ == Placement::atomic) {
    files_.rename(open_name_, file_);
    committed_ = true;
    files_.sync_folder(file_.parent_path());
  }
  committed_ = true;
}

void write_whole_file(FileSystem& files, const std::filesystem::path& file, std::string_view text) {
  FileWriter writer(files, file);
  writer.write(text);
  writer.commit();
}

}  // namespace hone::formats
