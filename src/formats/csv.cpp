#include "formats/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

constexpr std::size_t kMaxFieldBytes = std::size_t{256} << 20;

}  // namespace

void CsvReader::refuse(std::int64_t line, std::string found, std::string remedy) const {
  throw UserError({fmt::format("CSV: {}, line {}", lines_.file_name(), line), std::move(found),
                   std::move(remedy)});
}

// `rest` starts after the opening quotation mark; afterwards it is what follows the closing one.
void CsvReader::read_quoted(std::string_view& rest, std::string& field) {
  while (true) {
    const std::size_t mark = rest.find('"');
    field.append(rest.substr(0, mark));
    if (mark != std::string_view::npos) {
      rest.remove_prefix(mark + 1);
      if (rest.empty() || rest.front() != '"') return;
      field += '"';
      rest.remove_prefix(1);
      continue;
    }
    field.append(lines_.ending());
    std::string_view line;
    if (field.size() > kMaxFieldBytes || !lines_.next(line)) {
      refuse(row_line_, "a quotation mark that is not closed",
             "close it; inside a quoted field a quotation mark is written twice");
    }
    held_ = line;
    rest = held_;
  }
}

void CsvReader::read_field(std::string_view& rest, std::string& field) {
  field.clear();
  if (rest.empty() || rest.front() != '"') {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    field = rest.substr(0, comma);
    rest.remove_prefix(comma);
    return;
  }
  rest.remove_prefix(1);
  read_quoted(rest, field);
  if (!rest.empty() && rest.front() != ',') {
    refuse(lines_.number(),
           fmt::format("'{}' after a closing quotation mark", printable(rest.substr(0, 1))),
           "put a comma there, or write the quotation mark inside the field twice");
  }
}

bool CsvReader::next_row(Row& row) {
  std::string_view line;
  do {
    if (!lines_.next(line)) return false;
  } while (line.empty());
  row_line_ = lines_.number();
  held_ = line;
  std::string_view rest = held_;
  row.clear();
  while (true) {
    read_field(rest, row.emplace_back());
    if (rest.empty()) return true;
    rest.remove_prefix(1);  // the comma
  }
}

void CsvReader::read_header() {
  if (!next_row(names_)) return;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i].empty()) {
      refuse(row_line_, fmt::format("column {} of the header has no name", i + 1),
             "name every column in the first line");
    }
    const auto here = names_.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(names_.begin(), here, names_[i]) != here) {
      refuse(row_line_, fmt::format("two columns named '{}'", printable(names_[i])),
             "give every column a name of its own");
    }
  }
}

bool CsvReader::next(Record& record) {
  if (names_.empty()) read_header();
  Row row;
  if (names_.empty() || !next_row(row)) return false;
  if (row.size() != names_.size()) {
    refuse(row_line_, fmt::format("{} fields, where the header has {}", row.size(), names_.size()),
           "put fields that hold a comma into quotation marks, and give every row all columns");
  }
  Object object;
  for (std::size_t i = 0; i < row.size(); ++i) {
    object.push_back({names_[i], row[i].empty() ? Value() : Value(std::move(row[i]))});
  }
  record.value = std::move(object);
  record.number = ++records_;
  record.line = row_line_;
  record.replaced_surrogates = 0;
  return true;
}

}  // namespace hone::formats
