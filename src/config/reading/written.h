// Values as they were written, before anybody knows what they should be, and where they stood.
#pragma once

#include <string>
#include <vector>

namespace hone::config {

enum class Source { file, command_line, derived };

struct Written {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  bool quoted = false;             // scalar: certainly text
  std::string text;                // scalar; of lists and maps a short form for errors
  std::vector<std::string> items;  // list of scalars
  std::string json = {};           // map: all of it, as JSON text
};

struct Assignment {
  std::string name;  // as written; dashes of options are underscores already
  Written value;
  Source source = Source::file;
  std::string place;    // "base.yaml, line 14" or "command line"
  bool option = false;  // written as --name
};

}  // namespace hone::config
