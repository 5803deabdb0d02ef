#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>

#include <exception>
#include <limits>

#include "base/error.h"
#include "formats/columnar.h"
#include "formats/regular_file.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

constexpr std::int64_t kBatchRows = 1024;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& found) {
  throw UserError({"columns: " + shown_path(file), printable(found, 300),
                   "check that the file was copied whole, or write it again"});
}

template <class Result>
auto take(const std::filesystem::path& file, Result&& result) {
  if (!result.ok()) refuse(file, result.status().message());
  return std::forward<Result>(result).ValueUnsafe();
}

Value value_at(const arrow::Array& array, std::int64_t row);

template <class List>
Value list_at(const arrow::Array& array, std::int64_t row) {
  const auto& list = static_cast<const List&>(array);
  const std::int64_t first = list.value_offset(row);
  const std::int64_t end = first + list.value_length(row);
  Array values;
  for (std::int64_t i = first; i < end; ++i) values.push_back(value_at(*list.values(), i));
  return values;
}

Value struct_at(const arrow::Array& array, std::int64_t row) {
  const auto& fields = static_cast<const arrow::StructArray&>(array);
  Object object;
  for (int i = 0; i < fields.num_fields(); ++i) {
    object.push_back({fields.type()->field(i)->name(), value_at(*fields.field(i), row)});
  }
  return object;
}

template <class Numbers>
Value whole_at(const arrow::Array& array, std::int64_t row) {
  return static_cast<std::int64_t>(static_cast<const Numbers&>(array).Value(row));
}

template <class Texts>
Value text_at(const arrow::Array& array, std::int64_t row) {
  return Value(std::string_view(static_cast<const Texts&>(array).GetView(row)));
}

Value other_at(const arrow::Array& array, std::int64_t row) {
  const auto scalar = array.GetScalar(row);
  return scalar.ok() ? Value((*scalar)->ToString()) : Value();
}

Value value_at(const arrow::Array& array, std::int64_t row) {
  if (array.IsNull(row)) return {};
  switch (array.type_id()) {
    case arrow::Type::NA:
      return {};
    case arrow::Type::BOOL:
      return static_cast<const arrow::BooleanArray&>(array).Value(row);
    case arrow::Type::INT8:
      return whole_at<arrow::Int8Array>(array, row);
    case arrow::Type::INT16:
      return whole_at<arrow::Int16Array>(array, row);
    case arrow::Type::INT32:
      return whole_at<arrow::Int32Array>(array, row);
    case arrow::Type::INT64:
      return whole_at<arrow::Int64Array>(array, row);
    case arrow::Type::UINT8:
      return whole_at<arrow::UInt8Array>(array, row);
    case arrow::Type::UINT16:
      return whole_at<arrow::UInt16Array>(array, row);
    case arrow::Type::UINT32:
      return whole_at<arrow::UInt32Array>(array, row);
    case arrow::Type::FLOAT:
      return static_cast<double>(static_cast<const arrow::FloatArray&>(array).Value(row));
    case arrow::Type::DOUBLE:
      return static_cast<const arrow::DoubleArray&>(array).Value(row);
    case arrow::Type::STRING:
      return text_at<arrow::StringArray>(array, row);
    case arrow::Type::LARGE_STRING:
      return text_at<arrow::LargeStringArray>(array, row);
    case arrow::Type::LIST:
      return list_at<arrow::ListArray>(array, row);
    case arrow::Type::LARGE_LIST:
      return list_at<arrow::LargeListArray>(array, row);
    case arrow::Type::FIXED_SIZE_LIST:
      return list_at<arrow::FixedSizeListArray>(array, row);
    case arrow::Type::STRUCT:
      return struct_at(array, row);
    case arrow::Type::DICTIONARY: {
      const auto& words = static_cast<const arrow::DictionaryArray&>(array);
      return value_at(*words.dictionary(), words.GetValueIndex(row));
    }
    default:
      return other_at(array, row);
  }
}

// Where a text is not UTF-8.
bool is_utf8(const Value& value) {
  if (const std::string* text = value.get_string()) return !invalid_utf8(*text);
  if (const Array* list = value.get_array()) {
    for (const Value& item : *list) {
      if (!is_utf8(item)) return false;
    }
  }
  if (const Object* object = value.get_object()) {
    for (const Member& member : *object) {
      if (!is_utf8(member.value)) return false;
    }
  }
  return true;
}

class ArrowReader final : public ColumnarReader {
 public:
  ArrowReader(const std::filesystem::path& file, ColumnarKind kind) : file_(file) {
    open_regular_file(file);  // refuses what is no plain file
    input_ = take(file, arrow::io::ReadableFile::Open(file.string()));
    if (kind == ColumnarKind::parquet) {
      open_parquet();
    } else {
      open_arrow();
    }
  }

  bool next(Record& record) override {
    while (batch_ == nullptr || row_ == batch_->num_rows()) {
      row_ = 0;
      if (!next_batch()) return false;
      // Offsets of a hostile file are not to be trusted.
      const arrow::Status valid = batch_->ValidateFull();
      if (!valid.ok()) refuse(file_, valid.message());
    }
    Object object;
    for (int column = 0; column < batch_->num_columns(); ++column) {
      object.push_back({batch_->column_name(column), value_at(*batch_->column(column), row_)});
    }
    ++row_;
    record.number = ++records_;
    record.line = records_;
    record.replaced_surrogates = 0;
    record.value = std::move(object);
    if (!is_utf8(record.value))
      refuse(file_, fmt::format("row {}: a text that is not UTF-8", records_));
    return true;
  }

 private:
  void open_parquet() {
    parquet::ArrowReaderProperties properties;
    properties.set_batch_size(kBatchRows);
    parquet::arrow::FileReaderBuilder builder;
    const arrow::Status opened = builder.Open(input_);
    if (!opened.ok()) refuse(file_, opened.message());
    parquet_ = take(file_, builder.properties(properties)->Build());
    stream_ = take(file_, parquet_->GetRecordBatchReader());
  }

  void open_arrow() {
    const auto start = take(file_, input_->ReadAt(0, 6));
    const arrow::Status back = input_->Seek(0);
    if (!back.ok()) refuse(file_, back.message());
    if (start->ToString() == "ARROW1") {
      batches_ = take(file_, arrow::ipc::RecordBatchFileReader::Open(input_));
    } else {
      stream_ = take(file_, arrow::ipc::RecordBatchStreamReader::Open(input_));
    }
  }

  bool next_batch() {
    try {
      if (batches_ != nullptr) {
        if (next_of_file_ == batches_->num_record_batches()) return false;
        batch_ = take(file_, batches_->ReadRecordBatch(next_of_file_++));
        return true;
      }
      const arrow::Status status = stream_->ReadNext(&batch_);
      if (!status.ok()) refuse(file_, status.message());
      return batch_ != nullptr;
    } catch (const UserError&) {
      throw;
    } catch (const std::exception& error) {  // Parquet's own
      refuse(file_, error.what());
    }
  }

  std::filesystem::path file_;
  std::shared_ptr<arrow::io::ReadableFile> input_;
  std::unique_ptr<parquet::arrow::FileReader> parquet_;
  std::shared_ptr<arrow::RecordBatchReader> stream_;
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> batches_;
  int next_of_file_ = 0;
  std::shared_ptr<arrow::RecordBatch> batch_;
  std::int64_t row_ = 0;
  std::int64_t records_ = 0;
};

}  // namespace

bool reads_columnar_files() {
  return true;
}

std::unique_ptr<ColumnarReader> open_columnar(const std::filesystem::path& file,
                                              ColumnarKind kind) {
  try {
    return std::make_unique<ArrowReader>(file, kind);
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {  // Parquet's own
    refuse(file, error.what());
  }
}

}  // namespace hone::formats
