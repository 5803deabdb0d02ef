// GET and HEAD over HTTP and HTTPS, by libcurl. Says what came and what failed; what to make of
// either is the caller's.
//
// Redirects are followed (at most eight, never from HTTPS to HTTP). The credential goes to the
// host that was asked, and to no other. Nothing is read from the environment: proxies and
// certificates are options.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace hone::hub {

struct HttpOptions {
  std::string user_agent;
  std::string http_proxy;  // "http://proxy:3128"; empty: none
  std::string https_proxy;
  std::string no_proxy;      // hosts that are asked directly, with commas: "localhost,.example.org"
  std::string certificates;  // file of certificate authorities; empty: the system's
  int connect_seconds = 10;
  // A transfer without a byte for so long counts as dropped.
  int silence_seconds = 30;
};

struct HttpRequest {
  std::string url;
  std::string credential;       // a header's line, for the host of `url` alone; empty: none
  std::uint64_t from_byte = 0;  // asks for the rest from here
  bool head = false;
};

// Names in lower case.
using HttpHeaders = std::map<std::string, std::string>;

struct HttpResponse {
  enum class Failure {
    none,        // an answer came, whole, with whatever status
    address,     // no such host, or a URL that is none
    connect,     // nobody there, or not in time
    encryption,  // certificates and the like
    dropped,     // the answer broke off
    sink         // the body's receiver gave up
  };
  Failure failure = Failure::none;
  std::string why;            // the failure in words; never with a token or a signed address
  long status = 0;            // 0: no answer
  HttpHeaders headers;        // of the last answer
  HttpHeaders first_headers;  // of the first: of the asked host's own, before redirects
  std::string body;           // of an answer that is no success: its beginning
};

// Receives a body of status 200 or 206, in pieces. False ends the transfer.
using BodySink = std::function<bool(long status, const HttpHeaders&, std::string_view bytes)>;

class HttpClient {
 public:
  explicit HttpClient(HttpOptions options);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  HttpResponse send(const HttpRequest& request, const BodySink& sink);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// "https://host:port" of a URL, in lower case, without a name and password before the host; empty
// for what is no HTTP or HTTPS URL.
std::string origin_of(std::string_view url);

}  // namespace hone::hub
