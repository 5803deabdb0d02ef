#include "report/text_table.h"

#include <algorithm>
#include <cstddef>

#include "base/error.h"

namespace hone::report {

namespace {

std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u;
  }));
}

std::string line_text(const std::vector<TableColumn>& columns,
                      const std::vector<std::string>& cells,
                      const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - columns_of(cells[i]), ' ');
    line += "  ";
    line += columns[i].align == Align::left ? cells[i] + padding : padding + cells[i];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string rule(std::size_t across) {
  std::string line(across, '-');
  line.replace(0, 2, "  ");
  return line + "\n";
}

}  // namespace

std::string table_text(const std::vector<TableColumn>& columns, const TableRows& rows) {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (const TableColumn& column : columns) {
    titles.push_back(column.title);
    widths.push_back(columns_of(column.title));
  }
  const bool has_titles = *std::max_element(widths.begin(), widths.end()) > 0;
  for (const std::vector<std::string>& row : rows) {
    HONE_ASSERT(row.empty() || row.size() == columns.size(), row.size(), columns.size());
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::size_t across = 0;  // with two blanks before each column that is not empty
  for (const std::size_t width : widths) across += width > 0 ? width + 2 : 0;
  std::string text = has_titles ? line_text(columns, titles, widths) : std::string();
  for (const std::vector<std::string>& row : rows) {
    text += row.empty() ? rule(across) : line_text(columns, row, widths);
  }
  return text;
}

}  // namespace hone::report
