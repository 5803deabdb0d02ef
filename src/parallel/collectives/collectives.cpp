#include "parallel/collectives/collectives.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/error.h"
#include "base/half.h"

namespace hone::parallel {
namespace {

// Elements that are summed at once: they stay in the first-level cache.
constexpr std::int64_t kBlockElements = 2048;

template <class View>
auto* bytes_at(const View& view, std::int64_t element) {
  using Byte = std::conditional_t<View::kConst, const std::byte, std::byte>;
  const auto offset = static_cast<std::size_t>(element) * size_bytes(view.dtype());
  return static_cast<Byte*>(view.raw()) + offset;
}

void read_block(const std::byte* source, DType dtype, std::int64_t count, bool add, float* sums) {
  if (dtype == DType::f32) {
    const auto* values = reinterpret_cast<const float*>(source);
    if (add) {
      for (std::int64_t i = 0; i < count; ++i) sums[i] += values[i];
    } else {
      std::copy(values, values + count, sums);
    }
    return;
  }
  const auto* values = reinterpret_cast<const BFloat16*>(source);
  for (std::int64_t i = 0; i < count; ++i) {
    sums[i] = add ? sums[i] + to_float(values[i]) : to_float(values[i]);
  }
}

void write_block(const float* sums, std::int64_t count, bool accumulate, DType dtype,
                 std::byte* out) {
  if (dtype == DType::f32) {
    auto* values = reinterpret_cast<float*>(out);
    if (accumulate) {
      for (std::int64_t i = 0; i < count; ++i) values[i] += sums[i];
    } else {
      std::copy(sums, sums + count, values);
    }
    return;
  }
  auto* values = reinterpret_cast<BFloat16*>(out);
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = to_bfloat16(accumulate ? to_float(values[i]) + sums[i] : sums[i]);
  }
}

void assert_parts(const ConstTensorView& values, std::span<const Part> parts, int ranks) {
  std::int64_t next = 0;
  for (const Part& part : parts) {
    HONE_ASSERT(part.first == next && part.elements >= 0, part.first, next, part.elements);
    HONE_ASSERT(part.owner >= 0 && part.owner < ranks, part.owner, ranks);
    next += part.elements;
  }
  HONE_ASSERT(next == values.elements(), next, values.elements());
}

void assert_summable(DType dtype) {
  HONE_ASSERT(dtype == DType::f32 || dtype == DType::bf16, name(dtype));
}

// Calls use(values' first element, elements) for the runs that elements [first, first + count) of
// what `rank` owns, end to end, consist of.
template <class Use>
void for_runs(std::span<const Part> parts, int rank, std::int64_t first, std::int64_t count,
              const Use& use) {
  std::int64_t before = 0;
  for (const Part& part : parts) {
    if (part.owner != rank) continue;
    const std::int64_t begin = std::max(first, before);
    const std::int64_t end = std::min(first + count, before + part.elements);
    if (end > begin) use(part.first + begin - before, end - begin);
    before += part.elements;
  }
}

}  // namespace

// One of this rank's parts and where its sums go.
struct Collectives::Piece {
  std::int64_t first = 0;  // in the values
  std::int64_t elements = 0;
  TensorView out;  // [elements]
  bool accumulate = false;
};

Collectives::Collectives(Transport& transport, const CollectiveOptions& options)
    : transport_(transport), options_(options) {
  const std::int64_t others = std::max(1, ranks() - 1);
  // At least one element for each of the others.
  const std::int64_t least = others * static_cast<std::int64_t>(sizeof(float));
  buffers_.add(staging_, "collectives: staging", Category::scratch, DType::u8,
               {std::max(options.staging_bytes, least)});
}

std::vector<Part> Collectives::even_parts_of(const TensorView& values) const {
  return even_parts(values.elements(), ranks());
}

void Collectives::exchange(const char* operation, std::span<const Outgoing> outgoing,
                           std::span<const Incoming> incoming) {
  ++counted_.exchanges;
  for (const Outgoing& one : outgoing) counted_.bytes += static_cast<std::int64_t>(one.bytes);
  transport_.exchange({operation, outgoing, incoming, options_.limit});
}

void Collectives::reduce_scatter(const TensorView& values, std::span<const Part> parts) {
  std::vector<Piece> own;
  for (const Part& part : parts) {
    if (part.owner != rank()) continue;
    own.push_back({part.first, part.elements, values.slice(part.first, part.elements), false});
  }
  reduce_pieces(values, parts, own);
}

void Collectives::reduce_scatter(const ConstTensorView& values, std::span<const Part> parts,
                                 const TensorView& mine, bool accumulate) {
  HONE_ASSERT(mine.elements() == owned_elements(parts, rank()), mine.elements());
  HONE_ASSERT(mine.dtype() == values.dtype() || mine.dtype() == DType::f32, name(mine.dtype()));
  std::vector<Piece> own;
  std::int64_t before = 0;
  for (const Part& part : parts) {
    if (part.owner != rank()) continue;
    own.push_back({part.first, part.elements, mine.slice(before, part.elements), accumulate});
    before += part.elements;
  }
  reduce_pieces(values, parts, own);
}

// In rounds: in each, every rank gets the next elements of what it owns from all others.
void Collectives::reduce_pieces(const ConstTensorView& values, std::span<const Part> parts,
                                const std::vector<Piece>& own) {
  assert_summable(values.dtype());
  assert_parts(values, parts, ranks());
  const std::int64_t others = std::max(1, ranks() - 1);
  const auto size = static_cast<std::int64_t>(size_bytes(values.dtype()));
  const std::int64_t room = ranks() == 1 ? values.elements() : staging_.elements() / others / size;
  std::int64_t most = 0;
  for (int owner = 0; owner < ranks(); ++owner) {
    most = std::max(most, owned_elements(parts, owner));
  }
  const std::int64_t mine = owned_elements(parts, rank());
  for (std::int64_t first = 0; first < most; first += room) {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    const std::int64_t count = std::clamp<std::int64_t>(mine - first, 0, room);
    std::byte* staged = static_cast<std::byte*>(staging_.raw());
    for (int peer = 0; peer < ranks(); ++peer) {
      if (peer == rank()) continue;
      for_runs(parts, peer, first, room, [&](std::int64_t at, std::int64_t elements) {
        outgoing.push_back({peer, bytes_at(values, at), static_cast<std::size_t>(elements * size)});
      });
      std::byte* into = staged;
      for_runs(parts, rank(), first, room, [&](std::int64_t, std::int64_t elements) {
        incoming.push_back({peer, into, static_cast<std::size_t>(elements * size)});
        into += elements * size;
      });
      staged += count * size;
    }
    if (ranks() > 1) exchange("reduce-scatter", outgoing, incoming);
    std::int64_t before = 0;  // elements of own pieces that came earlier
    for (const Piece& piece : own) {
      const std::int64_t begin = std::max(first, before);
      const std::int64_t end = std::min(first + count, before + piece.elements);
      if (end > begin) {
        const std::int64_t inside = begin - before;
        add_up(values,
               {piece.first + inside, end - begin, piece.out.slice(inside, end - begin),
                piece.accumulate},
               begin - first, count);
      }
      before += piece.elements;
    }
  }
}

// The staged values of each other rank begin `staged_per_rank` elements after those of the one
// before; those of this piece, `skipped` elements further.
void Collectives::add_up(const ConstTensorView& values, const Piece& piece, std::int64_t skipped,
                         std::int64_t staged_per_rank) const {
  float sums[kBlockElements];
  const auto size = static_cast<std::int64_t>(size_bytes(values.dtype()));
  for (std::int64_t block = 0; block < piece.elements; block += kBlockElements) {
    const std::int64_t count = std::min(kBlockElements, piece.elements - block);
    const auto* staged = static_cast<const std::byte*>(staging_.raw()) + (skipped + block) * size;
    for (int from = 0; from < ranks(); ++from) {
      const bool own = from == rank();
      read_block(own ? bytes_at(values, piece.first + block) : staged, values.dtype(), count,
                 from > 0, sums);
      if (!own) staged += staged_per_rank * size;
    }
    write_block(sums, count, piece.accumulate, piece.out.dtype(), bytes_at(piece.out, block));
  }
}

void Collectives::all_gather(const TensorView& values, std::span<const Part> parts) {
  assert_parts(values, parts, ranks());
  if (ranks() == 1) return;
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  for (const Part& part : parts) {
    if (part.elements == 0) continue;
    const TensorView view = values.slice(part.first, part.elements);
    for (int peer = 0; part.owner == rank() && peer < ranks(); ++peer) {
      if (peer != rank()) outgoing.push_back({peer, view.raw(), view.bytes()});
    }
    if (part.owner != rank()) incoming.push_back({part.owner, view.raw(), view.bytes()});
  }
  exchange("all-gather", outgoing, incoming);
}

void Collectives::gather(const TensorView& values, std::span<const Part> parts, int root) {
  assert_parts(values, parts, ranks());
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  for (const Part& part : parts) {
    if (part.elements == 0 || part.owner == root) continue;
    const TensorView view = values.slice(part.first, part.elements);
    if (rank() == root) incoming.push_back({part.owner, view.raw(), view.bytes()});
    if (rank() == part.owner) outgoing.push_back({root, view.raw(), view.bytes()});
  }
  if (ranks() > 1) exchange("gather", outgoing, incoming);
}

void Collectives::all_reduce(const TensorView& values, std::span<const Part> parts) {
  reduce_scatter(values, parts);
  all_gather(values, parts);
}

void Collectives::broadcast(const TensorView& values, int root) {
  HONE_ASSERT(root >= 0 && root < ranks(), root, ranks());
  if (ranks() == 1) return;
  const std::vector<Part> parts = even_parts_of(values);
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  const auto view_of = [&](int owner) {
    const Part& part = parts[static_cast<std::size_t>(owner)];
    return values.slice(part.first, part.elements);
  };
  // The root hands each rank its part,
  for (int peer = 0; rank() == root && peer < ranks(); ++peer) {
    if (peer != root) outgoing.push_back({peer, view_of(peer).raw(), view_of(peer).bytes()});
  }
  if (rank() != root) incoming.push_back({root, view_of(rank()).raw(), view_of(rank()).bytes()});
  exchange("broadcast", outgoing, incoming);
  // and the parts go to all but the root, its own among them.
  outgoing.clear();
  incoming.clear();
  for (int peer = 0; peer < ranks(); ++peer) {
    if (peer == rank()) continue;
    if (peer != root) outgoing.push_back({peer, view_of(rank()).raw(), view_of(rank()).bytes()});
    if (rank() != root) incoming.push_back({peer, view_of(peer).raw(), view_of(peer).bytes()});
  }
  exchange("broadcast", outgoing, incoming);
}

void Collectives::barrier() {
  const std::byte out{1};
  std::vector<std::byte> in(static_cast<std::size_t>(ranks()));
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  for (int peer = 0; peer < ranks(); ++peer) {
    if (peer == rank()) continue;
    outgoing.push_back({peer, &out, 1});
    incoming.push_back({peer, &in[static_cast<std::size_t>(peer)], 1});
  }
  exchange("barrier", outgoing, incoming);
}

void Collectives::sum(std::span<double> numbers) {
  const std::size_t count = numbers.size();
  std::vector<double> all(static_cast<std::size_t>(ranks()) * count);
  const auto of_rank = [&](int rank) {
    return all.data() + static_cast<std::size_t>(rank) * count;
  };
  std::copy(numbers.begin(), numbers.end(), of_rank(rank()));
  const auto elements = static_cast<std::int64_t>(all.size());
  all_gather(TensorView(all.data(), DType::f64, {elements}), even_parts(elements, ranks()));
  std::copy_n(of_rank(0), count, numbers.begin());
  for (int rank = 1; rank < ranks(); ++rank) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] += of_rank(rank)[i];
  }
}

}  // namespace hone::parallel
