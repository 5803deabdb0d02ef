#include "data/prepared/packing.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/error.h"

namespace hone::data {
namespace {

void place_row(EncodedRow row, const RowInfo& first, RowSink& sink) {
  row.info.file = first.file;
  row.info.number = first.number;
  row.info.line = first.line;
  sink.add(row);
}

void pack_batch(std::int64_t first, std::int64_t end, const RowAt& at,
                const PackingOptions& options, RowSink& sink) {
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> lengths;
  for (std::int64_t place = first; place < end; ++place) {
    const RowInfo& info = *at(place).info;
    if ((info.flags & kRowDropped) != 0 || info.tokens == 0) continue;
    HONE_ASSERT(info.tokens <= options.pack_tokens, info.tokens, options.pack_tokens);
    places.push_back(place);
    lengths.push_back(info.tokens);
  }
  for (const std::vector<std::size_t>& pack : pack_lengths(lengths, options.pack_tokens)) {
    Example example;
    std::vector<std::int32_t> starts;
    for (const std::size_t index : pack) {
      const RowView row = at(places[index]);
      const auto tokens = static_cast<std::size_t>(row.info->tokens);
      const auto ids = row.numbers.first(tokens);
      const auto labels = row.numbers.subspan(tokens, tokens);
      starts.push_back(static_cast<std::int32_t>(example.tokens.size()));
      example.tokens.insert(example.tokens.end(), ids.begin(), ids.end());
      example.labels.insert(example.labels.end(), labels.begin(), labels.end());
    }
    place_row(make_row(example, starts, options.apart), *at(places[pack.front()]).info, sink);
  }
}

}  // namespace

std::vector<std::pair<std::int64_t, std::int64_t>> packing_batches(std::int64_t rows,
                                                                   const PackingOptions& options) {
  HONE_ASSERT(options.batch_rows >= 1 && options.workers >= 1, options.batch_rows, options.workers);
  const std::int64_t workers = std::max<std::int64_t>(std::min(options.workers, rows), 1);
  std::vector<std::pair<std::int64_t, std::int64_t>> batches;
  for (std::int64_t worker = 0; worker < workers; ++worker) {
    const std::int64_t first = rows / workers * worker + std::min(worker, rows % workers);
    const std::int64_t end = first + rows / workers + (worker < rows % workers ? 1 : 0);
    for (std::int64_t start = first; start < end; start += options.batch_rows) {
      batches.emplace_back(start, std::min(start + options.batch_rows, end));
    }
  }
  return batches;
}

std::vector<std::vector<std::size_t>> pack_lengths(std::span<const std::int64_t> lengths,
                                                   std::int64_t capacity) {
  std::map<std::int64_t, std::vector<std::size_t>> waiting;  // by length
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    HONE_ASSERT(lengths[i] >= 1 && lengths[i] <= capacity, lengths[i], capacity);
    waiting[lengths[i]].push_back(i);
  }
  std::vector<std::vector<std::size_t>> packs;
  while (!waiting.empty()) {
    std::vector<std::size_t>& pack = packs.emplace_back();
    std::int64_t room = capacity;
    for (auto above = waiting.upper_bound(room); above != waiting.begin();
         above = waiting.upper_bound(room)) {
      const auto longest = std::prev(above);
      pack.push_back(longest->second.back());
      longest->second.pop_back();
      room -= longest->first;
      if (longest->second.empty()) waiting.erase(longest);
    }
  }
  return packs;
}

void pack_records(std::int64_t rows, const RowAt& at, const PackingOptions& options,
                  RowSink& sink) {
  for (const auto& [first, end] : packing_batches(rows, options)) {
    pack_batch(first, end, at, options, sink);
  }
}

std::int64_t pack_texts(std::int64_t rows, const RowAt& at, const PackingOptions& options,
                        const PretrainingOptions& text, RowSink& sink) {
  std::int64_t left_out = 0;
  const auto block = static_cast<std::size_t>(options.pack_tokens);
  for (const auto& [first, end] : packing_batches(rows, options)) {
    std::vector<std::int32_t> ids;
    RowInfo origin;  // of the text that the block starts in
    for (std::int64_t place = first; place < end; ++place) {
      const RowView row = at(place);
      if ((row.info->flags & kRowDropped) != 0) continue;
      std::span<const std::int32_t> rest =
          row.numbers.first(static_cast<std::size_t>(row.info->tokens));
      while (!rest.empty()) {
        if (ids.empty()) origin = *row.info;
        const std::size_t taken = std::min(rest.size(), block - ids.size());
        ids.insert(ids.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(taken));
        rest = rest.subspan(taken);
        if (ids.size() < block) continue;
        if (text.begin) ids.front() = *text.begin;
        place_row(make_row(learned_everywhere(std::move(ids), text)), origin, sink);
        ids.clear();
      }
    }
    left_out += static_cast<std::int64_t>(ids.size());
  }
  return left_out;
}

}  // namespace hone::data
