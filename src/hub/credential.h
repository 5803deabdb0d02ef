// How a token is shown to a hub. Its text stands in no error.
#pragma once

#include <string>

#include "hub/hub_options.h"

namespace hone::hub {

// The token of `place` without blanks around it. It goes into a header: UserError where something
// is in it that cannot stand there.
std::string sendable_token(const std::string& token, const std::string& place);

// The header's line; empty where there is no token.
std::string credential_of(const HubOptions& options);

}  // namespace hone::hub
