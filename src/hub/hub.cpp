#include "hub/hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/error.h"
#include "base/nearest_name.h"
#include "formats/json.h"
#include "formats/regular_file.h"
#include "formats/text_encoding.h"
#include "hub/addresses.h"
#include "hub/credential.h"
#include "hub/download.h"
#include "hub/hub_answers.h"
#include "hub/listing.h"
#include "report/units.h"

namespace hone::hub {
namespace {

using formats::Value;

constexpr std::size_t kMostListing = std::size_t{64} << 20;
constexpr std::size_t kMostPages = 1000;
std::string string_in(const Value& object, const char* key) {
  const Value* value = object.find(key);
  return value != nullptr && value->get_string() != nullptr ? *value->get_string() : std::string();
}

std::string without_quotes(std::string etag) {
  if (etag.rfind("W/", 0) == 0) etag.erase(0, 2);
  etag.erase(std::remove(etag.begin(), etag.end(), '"'), etag.end());
  return etag;
}

// Between started and finished, however it ends.
class Watched {
 public:
  Watched(DownloadProgress* progress, std::size_t files, std::uint64_t bytes)
      : progress_(progress) {
    if (progress_ != nullptr) progress_->started(files, bytes);
  }
  ~Watched() {
    if (progress_ != nullptr) progress_->finished();
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  DownloadProgress* progress_;
};

[[noreturn]] void refuse_answer(const HubOptions& options, const Repository& repository,
                                const std::string& found) {
  throw UserError({repository.text(),
                   fmt::format("{} answered with {}", host_of(options.endpoint), found),
                   fmt::format("look at {}: what answers there may be no hub",
                               words_of(options.kind).endpoint_variable)});
}

}  // namespace

Hub::Hub(HubOptions options, DownloadProgress* progress, LogSink& log)
    : options_(std::move(options)), progress_(progress), log_(log) {
  while (!options_.endpoint.empty() && options_.endpoint.back() == '/') {
    options_.endpoint.pop_back();
  }
}

Hub::~Hub() = default;

std::string Hub::ask(const Repository& repository, const std::string& url) {
  if (!http_) http_ = std::make_unique<HttpClient>(options_.http);
  for (int tries = 1;; ++tries) {
    std::string text;
    const BodySink sink = [&](long, const HttpHeaders&, std::string_view bytes) {
      text += bytes;
      return text.size() <= kMostListing;
    };
    const HttpResponse response = http_->send(
        {.url = url, .credential = credential_of(options_), .from_byte = 0, .head = false}, sink);
    if (response.failure == HttpResponse::Failure::none && response.status == 200) return text;
    if (response.failure == HttpResponse::Failure::sink) {
      refuse_answer(options_, repository, "more than a list of files can be");
    }
    // Nobody there is said at once; what answered once may do so again.
    const bool passing = is_passing(response) && response.failure != HttpResponse::Failure::connect;
    if (!passing) {
      const bool missing = response.status == 404 || response.status == 401;
      refuse(response, options_, repository, "", missing ? near_names(repository) : "");
    }
    wait_to_try_again(response, tries, options_, repository, "", log_);
  }
}

// " (did you mean 'org/name'?)" of the repositories that the hub finds for the name; empty where
// there is none, whatever the reason.
std::string Hub::near_names(const Repository& repository) {
  if (options_.kind != HubKind::huggingface) return "";
  std::string text;
  const BodySink sink = [&](long, const HttpHeaders&, std::string_view bytes) {
    text += bytes;
    return text.size() <= kMostListing;
  };
  const HttpResponse response = http_->send({.url = search_address(options_, repository),
                                             .credential = credential_of(options_),
                                             .from_byte = 0,
                                             .head = false},
                                            sink);
  if (response.failure != HttpResponse::Failure::none || response.status != 200) return "";
  std::vector<std::string> names;
  try {
    const Value found = formats::parse_json(text, "search");
    if (found.get_array() == nullptr) return "";
    for (const Value& each : found.array()) {
      const std::string id = string_in(each, "id");
      if (is_repository_id(id)) names.push_back(id);
    }
  } catch (const UserError&) {
    return "";
  }
  return did_you_mean(repository.id, names);
}

Listing Hub::list(const Repository& repository) {
  const bool pages =
      options_.kind == HubKind::modelscope && repository.kind == RepositoryKind::dataset;
  Listing listing;
  for (std::size_t page = 1;; ++page) {
    const std::string text = ask(repository, listing_address(options_, repository, page));
    ListingAnswer answer = options_.kind == HubKind::huggingface ? huggingface_listing(text)
                                                                 : modelscope_listing(text);
    if (!answer.fault.empty()) refuse_answer(options_, repository, answer.fault);
    listing.commit = answer.listing.commit;
    std::move(answer.listing.files.begin(), answer.listing.files.end(),
              std::back_inserter(listing.files));
    if (!pages || answer.entries < kPageEntries || page == kMostPages) break;
  }
  // ModelScope's cache has a folder for each revision by its name.
  if (options_.kind == HubKind::modelscope) listing.commit = repository.revision;
  return listing;
}

void Hub::complete(const Repository& repository, RepositoryFile& file, const std::string& url) {
  const BodySink nothing = [](long, const HttpHeaders&, std::string_view) { return true; };
  const HttpResponse response = http_->send(
      {.url = url, .credential = credential_of(options_), .from_byte = 0, .head = true}, nothing);
  if (response.failure != HttpResponse::Failure::none || response.status != 200) {
    refuse(response, options_, repository, file.name);
  }
  const HttpHeaders& first = response.first_headers;
  for (const char* name : {"x-linked-etag", "etag"}) {
    const auto found = first.find(name);
    if (found == first.end() || is_digest(file.digest)) continue;
    file.digest = without_quotes(found->second);
  }
  if (is_digest(file.digest)) return;
  refuse_answer(options_, repository, fmt::format("no checksum for {}", file.name));
}

Snapshot Hub::open(const Repository& repository) {
  if (options_.cache.empty()) {
    throw UserError(
        {repository.text(), "no folder to keep downloads in",
         fmt::format("set HOME, {}, or cache_dir", words_of(options_.kind).cache_variable)});
  }
  if (!has_valid_id(repository)) {
    throw UserError({formats::printable(repository.text()), "not the name of a repository",
                     "write it as its owner and its name: org/name"});
  }
  if (!is_safe_file_name(repository.revision)) {
    throw UserError({fmt::format("model_revision of {}", repository.id),
                     "not the name of a revision", "write a branch, a tag or a commit"});
  }
  Snapshot snapshot(*this, repository);
  const std::optional<std::filesystem::path> known = snapshot.cache_.known_snapshot();
  if (!options_.offline) {
    try {
      snapshot.listing_ = list(repository);
      snapshot.folder_ = snapshot.cache_.snapshot(snapshot.listing_.commit);
      return snapshot;
    } catch (const HubUnreachable& error) {
      if (!known) throw;
      log_.warning(fmt::format("{}: {}; what was fetched before is used", repository.text(),
                               error.faults().front().found));
    }
  } else if (!known) {
    throw UserError({repository.text(),
                     fmt::format("not in {}, and the hub is not asked, as HF_HUB_OFFLINE is set",
                                 formats::shown_path(options_.cache)),
                     "unset HF_HUB_OFFLINE, or write the path of a folder on this machine"});
  }
  snapshot.from_cache_ = true;
  snapshot.folder_ = *known;
  snapshot.listing_.files = RepositoryCache::files_of(*known);
  return snapshot;
}

Snapshot::Snapshot(Hub& hub, Repository repository)
    : hub_(&hub),
      repository_(std::move(repository)),
      cache_(hub.options_.kind, hub.options_.cache, repository_) {}

bool Snapshot::lists(const std::string& name) const {
  return std::any_of(files().begin(), files().end(),
                     [&](const RepositoryFile& file) { return file.name == name; });
}

std::vector<const RepositoryFile*> Snapshot::missing(const std::vector<std::string>& names) const {
  std::vector<const RepositoryFile*> missing;
  for (const std::string& name : names) {
    const auto file = std::find_if(files().begin(), files().end(),
                                   [&](const RepositoryFile& each) { return each.name == name; });
    if (file != files().end() && (from_cache_ || cache_.has(listing_.commit, *file))) continue;
    if (file == files().end()) {
      throw UserError({fmt::format("{} of {}", name, repository_.text()),
                       from_cache_
                           ? fmt::format("not among the files in {}", formats::shown_path(folder()))
                           : fmt::format("not on {}", host_of(hub_->options_.endpoint)),
                       from_cache_ ? "fetch it once with the hub in reach (without HF_HUB_OFFLINE)"
                                   : "name a repository that is complete"});
    }
    missing.push_back(&*file);
  }
  return missing;
}

void Snapshot::fetch(const std::vector<std::string>& names) {
  std::vector<const RepositoryFile*> wanted = missing(names);
  if (from_cache_) return;
  const auto is_taken = [this](const RepositoryFile* file) {
    if (!cache_.take_earlier_copy(*file)) return false;
    cache_.link(listing_.commit, file->name, file->digest);
    return true;
  };
  wanted.erase(std::remove_if(wanted.begin(), wanted.end(), is_taken), wanted.end());
  fetch_blobs(wanted, [&](const RepositoryFile& file) {
    cache_.link(listing_.commit, file.name, file.digest);
  });
  cache_.remember_commit(listing_.commit);
}

std::filesystem::path Snapshot::peek(const std::string& name) {
  std::filesystem::path path = folder() / name;
  fetch_blobs(missing({name}),
              [&](const RepositoryFile& file) { path = cache_.blob(file.digest); });
  return path;
}

void Snapshot::fetch_blobs(const std::vector<const RepositoryFile*>& files,
                           const std::function<void(const RepositoryFile&)>& come) {
  if (files.empty()) return;
  const std::uint64_t all = std::accumulate(files.begin(), files.end(), std::uint64_t{0},
                                            [](std::uint64_t sum, const RepositoryFile* file) {
                                              return sum + file->size_bytes.value_or(0);
                                            });
  hub_->log_.info(fmt::format("fetching {} {} ({}) of {} from {} into {}", files.size(),
                              files.size() == 1 ? "file" : "files", report::bytes_text(all),
                              repository_.text(), host_of(hub_->options_.endpoint),
                              formats::shown_path(cache_.folder())));
  const DownloadContext context = {*hub_->http_, hub_->options_, repository_, cache_, hub_->log_};
  DownloadProgress* progress = hub_->progress_;
  const Watched watched(progress, files.size(), all);
  std::uint64_t before = 0;
  for (const RepositoryFile* each : files) {
    RepositoryFile file = *each;
    const std::string url = file_address(hub_->options_, repository_, listing_.commit, file.name);
    if (file.digest.empty()) hub_->complete(repository_, file, url);
    const std::uint64_t size = file.size_bytes.value_or(0);
    download_blob(context, file, url, [&](std::uint64_t done) {
      if (progress != nullptr) progress->advanced(file.name, done, size, before + done);
    });
    come(file);
    before += size;
  }
}

}  // namespace hone::hub
