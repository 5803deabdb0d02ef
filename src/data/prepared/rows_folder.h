// Prepared rows as a folder of three files, which a later run maps instead of preparing again:
//
//   rows.bin    RowInfo after RowInfo (encoded_rows.h)
//   ids.bin     the rows' numbers, 32 bits each
//   about.json  {"format": 1, "key", "rows", "ids", "xxh64" of rows.bin, "largest_id", "left_out",
//               "files": [...], "said": [["warning", "..."], ...]}
//
// The folder comes into being whole: it is written under a name of its own and renamed last.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/prepared/encoded_rows.h"
#include "data/sources/dataset_reader.h"
#include "formats/checksum.h"
#include "formats/file_system.h"
#include "formats/file_writer.h"

namespace hone::data {

// What is known of prepared rows besides them.
struct RowsAbout {
  std::int32_t largest_id = -1;
  std::int64_t left_out = 0;       // ids at ends of batches that filled no block
  std::vector<std::string> files;  // that the rows' origins count
  std::vector<SaidLine> said;      // to the user, when they were prepared
};

struct PreparedRows {
  std::shared_ptr<const EncodedRows> rows;
  RowsAbout about;
};

// Writes into `folder`, which it makes. All errors are UserErrors about that folder.
class RowsFolderWriter final : public RowSink {
 public:
  RowsFolderWriter(formats::FileSystem& system, std::filesystem::path folder);
  void add(EncodedRow& row) override;
  // Completes the files. Afterwards the folder may be renamed.
  void finish(const RowsAbout& about, const std::string& key);

 private:
  formats::FileSystem& system_;
  std::filesystem::path folder_;
  formats::FileWriter infos_;
  formats::FileWriter numbers_;
  formats::Checksum checksum_;
  std::int64_t rows_ = 0;
  std::uint64_t numbers_written_ = 0;
};

// Opens what a writer made. Throws UserError (with what is wrong with it) for a folder that is not
// whole, of another key or format, or changed: the caller prepares anew. `key` empty: any key.
PreparedRows open_rows_folder(const std::filesystem::path& folder, const std::string& key);

}  // namespace hone::data
