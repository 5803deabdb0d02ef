#include "hub/http_client.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <exception>

#include "base/error.h"
#include "formats/text_encoding.h"

namespace hone::hub {
namespace {

constexpr int kMostRedirects = 8;
constexpr std::size_t kMostErrorBody = std::size_t{64} << 10;
constexpr std::size_t kMostHeaders = 256;

struct FreeCurl {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

bool is_success(long status) {
  return status == 200 || status == 206;
}

bool is_redirect(long status) {
  return status >= 301 && status <= 308 && status != 304 && status != 305 && status != 306;
}

HttpResponse::Failure failure_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return HttpResponse::Failure::none;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return HttpResponse::Failure::address;
    case CURLE_COULDNT_CONNECT:
      return HttpResponse::Failure::connect;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return HttpResponse::Failure::encryption;
    case CURLE_WRITE_ERROR:
      return HttpResponse::Failure::sink;
    default:
      return HttpResponse::Failure::dropped;
  }
}

// What one request's callbacks need.
struct Transfer {
  CURL* curl = nullptr;
  const BodySink* sink = nullptr;
  HttpResponse* response = nullptr;
  std::exception_ptr thrown = nullptr;  // by what was called back: not through frames of C

  static std::size_t header(char* bytes, std::size_t size, std::size_t count, void* self) {
    static_cast<Transfer*>(self)->take_header({bytes, size * count});
    return size * count;
  }

  static std::size_t body(char* bytes, std::size_t size, std::size_t count, void* self) {
    const std::size_t all = size * count;
    auto& transfer = *static_cast<Transfer*>(self);
    try {
      return transfer.take_body({bytes, all}) ? all : 0;
    } catch (...) {
      transfer.thrown = std::current_exception();
      return 0;
    }
  }

  void take_header(std::string_view line) const {
    // Of an interim answer (100, or a proxy's 200) whatever came before is forgotten.
    if (line.substr(0, 5) == "HTTP/") response->headers.clear();
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || response->headers.size() >= kMostHeaders) return;
    response->headers[lower(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
  }

  bool take_body(std::string_view bytes) const {
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (is_success(status)) return (*sink)(status, response->headers, bytes);
    std::string& kept = response->body;
    kept += bytes.substr(0, kMostErrorBody - std::min(kMostErrorBody, kept.size()));
    return true;
  }
};

HeaderList header_list(const HttpRequest& request, bool with_credential) {
  HeaderList list;
  const auto add = [&](const std::string& line) {
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    HONE_ASSERT(longer != nullptr);
    list.release();
    list.reset(longer);
  };
  add("Accept-Encoding: identity");
  if (with_credential && !request.credential.empty()) add(request.credential);
  return list;
}

}  // namespace

struct HttpClient::Parts {
  HttpOptions options;
  std::unique_ptr<CURL, FreeCurl> curl;

  // One exchange, without following redirects; the address to go on with is `next`.
  HttpResponse exchange(const HttpRequest& request, const std::string& url, bool with_credential,
                        const BodySink& sink, std::string& next) const;
  void prepare(const HttpRequest& request, const std::string& url) const;
};

void HttpClient::Parts::prepare(const HttpRequest& request, const std::string& url) const {
  CURL* handle = curl.get();
  curl_easy_reset(handle);
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle, CURLOPT_USERAGENT, options.user_agent.c_str());
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, static_cast<long>(options.connect_seconds));
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.silence_seconds));
  // Set even where there is none: libcurl would look into the environment otherwise.
  const bool encrypted = lower(url).rfind("https:", 0) == 0;
  const std::string& proxy = encrypted ? options.https_proxy : options.http_proxy;
  curl_easy_setopt(handle, CURLOPT_PROXY, proxy.c_str());
  curl_easy_setopt(handle, CURLOPT_NOPROXY, options.no_proxy.c_str());
  if (!options.certificates.empty()) {
    curl_easy_setopt(handle, CURLOPT_CAINFO, options.certificates.c_str());
  }
  if (request.head) curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
  if (request.from_byte > 0) {
    curl_easy_setopt(handle, CURLOPT_RANGE, fmt::format("{}-", request.from_byte).c_str());
  }
}

HttpResponse HttpClient::Parts::exchange(const HttpRequest& request, const std::string& url,
                                         bool with_credential, const BodySink& sink,
                                         std::string& next) const {
  HttpResponse response;
  Transfer transfer;
  transfer.curl = curl.get();
  transfer.sink = &sink;
  transfer.response = &response;
  prepare(request, url);
  const HeaderList headers = header_list(request, with_credential);
  char words[CURL_ERROR_SIZE] = {};
  CURL* handle = curl.get();
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, words);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &Transfer::header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &Transfer::body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
  const CURLcode code = curl_easy_perform(handle);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, nullptr);
  if (transfer.thrown) std::rethrow_exception(transfer.thrown);
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &response.status);
  response.failure = failure_of(code);
  if (code == CURLE_OPERATION_TIMEDOUT && response.status == 0) {
    response.failure = HttpResponse::Failure::connect;
  }
  if (code != CURLE_OK) {
    response.why = formats::printable(words[0] != '\0' ? words : curl_easy_strerror(code));
  }
  char* target = nullptr;
  if (is_redirect(response.status) &&
      curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &target) == CURLE_OK && target != nullptr) {
    next = target;
  }
  return response;
}

HttpClient::HttpClient(HttpOptions options) : parts_(std::make_unique<Parts>()) {
  parts_->options = std::move(options);
  parts_->curl.reset(curl_easy_init());
  HONE_ASSERT(parts_->curl != nullptr);
}

HttpClient::~HttpClient() = default;

HttpResponse HttpClient::send(const HttpRequest& request, const BodySink& sink) {
  const std::string first = origin_of(request.url);
  HttpResponse response;
  if (first.empty()) {
    response.failure = HttpResponse::Failure::address;
    response.why = "not an address that begins with https:// or http://";
    return response;
  }
  std::string url = request.url;
  HttpHeaders first_headers;
  for (int hop = 0; hop <= kMostRedirects; ++hop) {
    std::string next;
    const std::string origin = origin_of(url);
    response = parts_->exchange(request, url, origin == first, sink, next);
    if (hop == 0) first_headers = response.headers;
    response.first_headers = first_headers;
    if (next.empty() || response.failure != HttpResponse::Failure::none) return response;
    const std::string target = origin_of(next);
    if (target.empty() || (origin.rfind("https:", 0) == 0 && target.rfind("https:", 0) != 0)) {
      response.failure = HttpResponse::Failure::encryption;
      response.why = fmt::format("{} sends on to a place without encryption", origin);
      return response;
    }
    url = next;
  }
  response.failure = HttpResponse::Failure::dropped;
  response.why = fmt::format("{} sends from one place to the next without end", first);
  return response;
}

std::string origin_of(std::string_view url) {
  const std::size_t end_of_scheme = url.find("://");
  if (end_of_scheme == std::string_view::npos) return "";
  const std::string scheme = lower(url.substr(0, end_of_scheme));
  if (scheme != "http" && scheme != "https") return "";
  std::string_view host = url.substr(end_of_scheme + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  const std::size_t at = host.rfind('@');
  if (at != std::string_view::npos) host.remove_prefix(at + 1);
  if (host.empty()) return "";
  return scheme + "://" + lower(host);
}

}  // namespace hone::hub
