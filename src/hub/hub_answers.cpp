#include "hub/hub_answers.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "formats/text_encoding.h"
#include "hub/addresses.h"

namespace hone::hub {
namespace {

using Failure = HttpResponse::Failure;

std::string header(const HttpHeaders& headers, const char* name) {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

std::string asked_for(const Repository& repository, const std::string& what) {
  return what.empty() ? repository.text() : fmt::format("{} of {}", what, repository.text());
}

[[noreturn]] void refuse_unreachable(const HttpResponse& response, const HubOptions& options,
                                     const std::string& asked) {
  const std::string host = host_of(options.endpoint);
  const std::string why = response.why.empty() ? "no answer" : response.why;
  switch (response.failure) {
    case Failure::encryption:
      throw HubUnreachable(Fault{
          asked, fmt::format("no safe connection to {}: {}", host, why),
          "where a proxy puts its own certificate in between, name the file of its authority in "
          "SSL_CERT_FILE; else look at this machine's clock and ca-certificates"});
    case Failure::dropped:
      throw HubUnreachable(Fault{asked, fmt::format("{} broke off: {}", host, why),
                                 "give the same command again: it goes on with what has come"});
    default:
      throw HubUnreachable(
          Fault{asked, fmt::format("{} cannot be reached: {}", host, why),
                fmt::format("connect this machine, set https_proxy or {} where it needs one, or "
                            "copy the folder here and write its path",
                            words_of(options.kind).endpoint_variable)});
  }
}

[[noreturn]] void refuse_access(const HubOptions& options, const Repository& repository,
                                const std::string& asked) {
  const HubWords& words = words_of(options.kind);
  const std::string page = page_address(options, repository);
  const std::string tokens = origin_of(options.endpoint) + words.tokens_page;
  if (options.token.empty()) {
    throw UserError(
        {asked, "gated: its owner decides who gets it",
         fmt::format("ask for access at {}, make a token at {}, and give it as {} (or {})", page,
                     tokens, words.token_variable, words.token_setting)});
  }
  throw UserError({asked, "gated, and the account of the token has no access to it",
                   fmt::format("ask for access at {}; the token ({}) must be allowed to read gated "
                               "repositories",
                               page, tokens)});
}

[[noreturn]] void refuse_missing(const HubOptions& options, const Repository& repository,
                                 const std::string& asked, const std::string& near) {
  const char* word = repository.kind == RepositoryKind::model ? "model" : "data set";
  const std::string known =
      options.token.empty() ? ", or a private one and no token" : ", or one the token may not see";
  throw UserError(
      {asked, fmt::format("no such {} on {}{}{}", word, host_of(options.endpoint), known, near),
       fmt::format("correct the name, write the path of a folder on this machine, or, for a "
                   "private one, give a token as {} (or {})",
                   words_of(options.kind).token_variable, words_of(options.kind).token_setting)});
}

}  // namespace

std::string host_of(const std::string& endpoint) {
  const std::string origin = origin_of(endpoint);
  const std::size_t end = origin.find("://");
  return end == std::string::npos ? formats::printable(endpoint) : origin.substr(end + 3);
}

bool is_passing(const HttpResponse& response) {
  switch (response.failure) {
    case Failure::none:
      return response.status == 429 || response.status == 408 || response.status >= 500;
    case Failure::connect:
    case Failure::dropped:
      return true;
    default:
      return false;
  }
}

std::optional<double> wished_wait(const HttpHeaders& headers, std::int64_t now_seconds) {
  const std::string after = header(headers, "retry-after");
  if (!after.empty()) {
    char* end = nullptr;
    const double seconds = std::strtod(after.c_str(), &end);
    if (end != after.c_str() && *end == '\0' && seconds >= 0) return seconds;
    const std::time_t date = curl_getdate(after.c_str(), nullptr);
    if (date >= 0) return std::max(0.0, static_cast<double>(date - now_seconds));
  }
  // The form of the draft "RateLimit header fields": "api";r=0;t=55
  const std::string limit = header(headers, "ratelimit");
  const std::size_t at = limit.find(";t=");
  if (at == std::string::npos) return std::nullopt;
  const char* begin = limit.c_str() + at + 3;
  char* end = nullptr;
  const double seconds = std::strtod(begin, &end);
  if (end == begin || !(seconds >= 0)) return std::nullopt;
  return seconds;
}

void refuse(const HttpResponse& response, const HubOptions& options, const Repository& repository,
            const std::string& what, const std::string& near) {
  const std::string asked = asked_for(repository, what);
  if (response.failure != Failure::none) refuse_unreachable(response, options, asked);
  const std::string code = header(response.first_headers, "x-error-code");
  const std::string host = host_of(options.endpoint);
  const HubWords& words = words_of(options.kind);
  if (code == "GatedRepo") refuse_access(options, repository, asked);
  if (code == "RevisionNotFound") {
    throw UserError(
        {asked, fmt::format("no revision '{}' of it on {}", repository.revision, host),
         fmt::format("correct model_revision, or leave it out for {}", words.revision)});
  }
  switch (response.status) {
    case 401:
      if (code != "RepoNotFound" && !options.token.empty()) {
        throw UserError({asked, fmt::format("{} does not accept the token", host),
                         fmt::format("make a new one at {}{}, and give it as {} (or {}); or take "
                                     "it away, as public ones need none",
                                     origin_of(options.endpoint), words.tokens_page,
                                     words.token_variable, words.token_setting)});
      }
      refuse_missing(options, repository, asked, near);
    case 403:
      refuse_access(options, repository, asked);
    case 404:
      if (what.empty() || code == "RepoNotFound") refuse_missing(options, repository, asked, near);
      throw UserError({asked, fmt::format("not on {}", host),
                       "give the same command again: the repository may have changed meanwhile"});
    case 429:
      throw UserError({asked,
                       fmt::format("{} gives no more for now (429, too many requests)", host),
                       options.token.empty()
                           ? fmt::format("wait some minutes; with a token ({}) more is allowed",
                                         words.token_variable)
                           : "wait some minutes, then give the same command again"});
    default:
      if (response.status >= 500) {
        throw HubUnreachable(
            Fault{asked, fmt::format("{} has a fault of its own ({})", host, response.status),
                  "wait some minutes, then give the same command again"});
      }
      throw UserError(
          {asked, fmt::format("{} answered with status {}", host, response.status),
           fmt::format("look at {}: what answers there may be no hub", words.endpoint_variable)});
  }
}

}  // namespace hone::hub
