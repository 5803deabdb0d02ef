#include "hub/download.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "formats/regular_file.h"
#include "hub/credential.h"
#include "hub/digest.h"
#include "hub/hub_answers.h"
#include "report/units.h"

namespace hone::hub {
namespace {

namespace fs = std::filesystem;

constexpr int kMostTries = 5;
constexpr double kLongestWait = 300;

void really_wait(const HubOptions& options, double seconds) {
  if (options.wait) return options.wait(seconds);
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// The file that bytes are appended to.
class PartialFile {
 public:
  // `room`: what to do where there is no room.
  PartialFile(fs::path path, std::string room) : path_(std::move(path)), room_(std::move(room)) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    struct stat status = {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) fail("write");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~PartialFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  std::uint64_t size() const { return size_; }

  void clear() {
    if (::ftruncate(descriptor_, 0) != 0) fail("write");
    size_ = 0;
  }

  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail("write");
      bytes.remove_prefix(static_cast<std::size_t>(count));
      size_ += static_cast<std::uint64_t>(count);
    }
  }

  void sync() {
    if (::fsync(descriptor_) != 0) fail("sync");
  }

 private:
  [[noreturn]] void fail(const char* action) const {
    Fault fault = formats::system_fault(action, path_, errno);
    if (errno == ENOSPC) {
      fault.remedy = room_ + "; the same command then goes on with what has come";
    }
    throw UserError(std::move(fault));
  }

  fs::path path_;
  std::string room_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// Where the bytes of a 206 begin: "bytes 100-199/200".
std::optional<std::uint64_t> range_start(const HttpHeaders& headers) {
  const auto range = headers.find("content-range");
  if (range == headers.end() || range->second.rfind("bytes ", 0) != 0) return std::nullopt;
  return std::strtoull(range->second.c_str() + 6, nullptr, 10);
}

class BlobDownload {
 public:
  BlobDownload(const DownloadContext& context, const RepositoryFile& file, const std::string& url,
               const std::function<void(std::uint64_t)>& come)
      : context_(context),
        file_(file),
        url_(url),
        come_(come),
        blob_(context.cache.blob(file.digest)),
        partial_path_(context.cache.incomplete(file.digest)) {}

  void run() {
    refuse_without_room();
    for (int wrong = 0;; ++wrong) {
      {
        PartialFile partial(partial_path_, room());
        transfer(partial);
        partial.sync();
      }
      const std::string found = digest_found();
      if (found == file_.digest) break;
      std::error_code ignored;
      fs::remove(partial_path_, ignored);
      if (wrong > 0) refuse_bytes(found);
      context_.log.warning(
          fmt::format("{}: the bytes are not those that the hub promised; fetched "
                      "again from the start",
                      file_.name));
    }
    std::error_code error;
    fs::rename(partial_path_, blob_, error);
    if (error) throw UserError(formats::system_fault("rename", partial_path_, error.value()));
  }

 private:
  std::string room() const {
    return fmt::format("make room there, or name a folder with more in cache_dir (or {})",
                       words_of(context_.options.kind).cache_variable);
  }

  void refuse_without_room() const {
    std::error_code error;
    const std::uintmax_t had = fs::file_size(partial_path_, error);
    const std::uint64_t here = error ? 0 : had;
    const fs::space_info space = fs::space(blob_.parent_path(), error);
    const std::uint64_t wanted = file_.size_bytes.value_or(0);
    if (error || wanted <= here || wanted - here <= space.available) return;
    throw UserError({fmt::format("{} of {}: {}", file_.name, context_.repository.text(),
                                 report::bytes_text(wanted)),
                     fmt::format("{} free where {} lies", report::bytes_text(space.available),
                                 formats::shown_path(context_.cache.folder())),
                     room()});
  }

  bool is_whole(const PartialFile& partial) const {
    return file_.size_bytes && partial.size() == *file_.size_bytes;
  }

  // Until all bytes that were promised are there.
  void transfer(PartialFile& partial) {
    if (file_.size_bytes && partial.size() > *file_.size_bytes) partial.clear();
    come_(partial.size());
    for (int tries = 0; !is_whole(partial);) {
      const std::uint64_t before = partial.size();
      const HttpResponse response = ask(partial);
      const bool answered = response.failure == HttpResponse::Failure::none;
      if (answered && response.status == 416 && before > 0) {
        partial.clear();
        continue;
      }
      if (answered && (response.status == 200 || response.status == 206)) {
        if (!file_.size_bytes || is_whole(partial)) return;
        if (partial.size() > *file_.size_bytes) return;  // the digest will tell
      } else if (!is_passing(response)) {
        refuse(response, context_.options, context_.repository, file_.name);
      }
      // What moves on, however often it breaks off, is not given up.
      tries = partial.size() > before ? 1 : tries + 1;
      wait_to_try_again(answered && response.status < 400 ? broken_off() : response, tries,
                        context_.options, context_.repository, file_.name, context_.log);
    }
  }

  static HttpResponse broken_off() {
    HttpResponse response;
    response.failure = HttpResponse::Failure::dropped;
    response.why = "fewer bytes came than were promised";
    return response;
  }

  HttpResponse ask(PartialFile& partial) {
    bool first = true;
    const std::uint64_t from = partial.size();
    const BodySink sink = [&](long status, const HttpHeaders& headers, std::string_view bytes) {
      if (first && from > 0 && (status != 206 || range_start(headers) != from)) partial.clear();
      first = false;
      partial.append(bytes);
      come_(partial.size());
      return !file_.size_bytes || partial.size() <= *file_.size_bytes;
    };
    return context_.http.send({.url = url_,
                               .credential = credential_of(context_.options),
                               .from_byte = from,
                               .head = false},
                              sink);
  }

  std::string digest_found() const { return digest_of_file(partial_path_, file_.digest.size()); }

  [[noreturn]] void refuse_bytes(const std::string& found) const {
    throw UserError(
        {fmt::format("{} of {}", file_.name, context_.repository.text()),
         fmt::format("twice other bytes than {} promised: checksum {}... in place of {}...",
                     host_of(context_.options.endpoint), found.substr(0, 12),
                     file_.digest.substr(0, 12)),
         fmt::format("a proxy or a mirror ({}) changes what it passes on, or the file changes this "
                     "moment: try again, or without it",
                     words_of(context_.options.kind).endpoint_variable)});
  }

  const DownloadContext& context_;
  const RepositoryFile& file_;
  const std::string& url_;
  const std::function<void(std::uint64_t)>& come_;
  fs::path blob_;
  fs::path partial_path_;
};

}  // namespace

void wait_to_try_again(const HttpResponse& response, int tries, const HubOptions& options,
                       const Repository& repository, const std::string& what, LogSink& log) {
  const std::optional<double> wish =
      wished_wait(response.headers, static_cast<std::int64_t>(std::time(nullptr)));
  if (tries >= kMostTries || wish.value_or(0) > kLongestWait) {
    refuse(response, options, repository, what);
  }
  const double seconds = wish.value_or(static_cast<double>(1 << (tries - 1)));
  const std::string why = response.failure == HttpResponse::Failure::none
                              ? fmt::format("status {}", response.status)
                              : response.why;
  log.warning(fmt::format("{}: {} ({}); asked again in {:g} s",
                          what.empty() ? repository.text() : what, host_of(options.endpoint), why,
                          seconds));
  really_wait(options, seconds);
}

void download_blob(const DownloadContext& context, const RepositoryFile& file,
                   const std::string& url, const std::function<void(std::uint64_t)>& come) {
  make_folders(context.cache.blob(file.digest).parent_path());
  const RepositoryCache::Lock lock(context.cache, file.digest, [&] {
    context.log.info(fmt::format("another process fetches {}; waiting for it", file.name));
  });
  std::error_code error;
  if (fs::is_regular_file(context.cache.blob(file.digest), error)) return;
  BlobDownload(context, file, url, come).run();
}

}  // namespace hone::hub
