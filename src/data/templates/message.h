// One message of a conversation.
#pragma once

#include <string>

namespace hone::data {

// `function` is an assistant's tool call (JSON), `observation` a tool's result.
enum class Role { user, assistant, system, function, observation };

struct Message {
  Role role = Role::user;
  std::string content;
};

}  // namespace hone::data
