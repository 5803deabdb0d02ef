// What a hub's answers mean: statuses as faults in words, and when to ask again.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "hub/http_client.h"
#include "hub/hub_options.h"
#include "hub/repository.h"

namespace hone::hub {

// Thrown as a UserError where no answer came at all, so that what lies in the cache may do.
class HubUnreachable : public UserError {
 public:
  using UserError::UserError;
};

// True for what may be better in a moment: no answer, a broken one, 429 and 5xx.
bool is_passing(const HttpResponse& response);

// Seconds that a 429 or 503 asks to wait (Retry-After, in seconds or as a date; RateLimit's t=).
std::optional<double> wished_wait(const HttpHeaders& headers, std::int64_t now_seconds);

// Throws what an answer without success means for `repository`: `what` is the file that was asked
// for, empty for the repository itself. Never names the token.
[[noreturn]] void refuse(const HttpResponse& response, const HubOptions& options,
                         const Repository& repository, const std::string& what,
                         const std::string& near = "");

// The host that errors name: "huggingface.co".
std::string host_of(const std::string& endpoint);

}  // namespace hone::hub
