// Columns of text that line up.
#pragma once

#include <string>
#include <vector>

namespace hone::report {

enum class Align { left, right };

struct TableColumn {
  std::string title;
  Align align = Align::right;
};

// Rows of as many cells as there are columns. An empty row is a rule across the table.
using TableRows = std::vector<std::vector<std::string>>;

// Two blanks before each line and between columns, no blanks at line ends, each line with a line
// end. Widths count code points, so cells may hold UTF-8 of ordinary width. Without any title
// there is no head line.
std::string table_text(const std::vector<TableColumn>& columns, const TableRows& rows);

}  // namespace hone::report
