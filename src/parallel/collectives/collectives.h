// Collectives over a transport (transport.h), with our own order of addition on every transport.
//
// All ranks call the same operations in the same order with the same parts (parts.h). Sums are
// taken in rank order, in f32: x_0, plus x_1, plus x_2 and so on; bf16 values are widened first and
// the sum is rounded once, to nearest even. So results do not depend on the transport, and every
// rank has the same bits. Views are contiguous and of rank 1; empty ones are allowed.
// Bytes on the wire: docs/algorithms.md; counted() counts them.
// Errors: CollectiveError, see transport.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "base/tensor_view.h"
#include "memory/buffer_list.h"
#include "parallel/collectives/parts.h"
#include "parallel/collectives/transport.h"

namespace hone::parallel {

struct CollectiveOptions {
  std::chrono::milliseconds limit = std::chrono::minutes(30);  // of one exchange
  // Room for what arrives to be added up; larger arrays go through it in pieces.
  std::int64_t staging_bytes = std::int64_t{4} << 20;
};

// What a rank has handed to its transport for others.
struct WireCount {
  std::int64_t exchanges = 0;
  std::int64_t bytes = 0;
};

class Collectives {
 public:
  // The transport must outlive this object.
  Collectives(Transport& transport, const CollectiveOptions& options);
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;

  int rank() const { return transport_.rank(); }
  int ranks() const { return transport_.ranks(); }

  // The staging room; to be bound before the first sum.
  const BufferList& buffers() const { return buffers_; }

  // Every part of `values` (f32 or bf16) summed over all ranks, at its owner. In place: afterwards
  // this rank's parts hold the sums, the others what they held.
  void reduce_scatter(const TensorView& values, std::span<const Part> parts);

  // The same into `mine`, this rank's parts end to end: f32, or the values' dtype. `accumulate`:
  // added to what is there, else assigned. `values` stay as they are.
  void reduce_scatter(const ConstTensorView& values, std::span<const Part> parts,
                      const TensorView& mine, bool accumulate);

  // Every part from its owner to all. Any dtype.
  void all_gather(const TensorView& values, std::span<const Part> parts);

  // Every part from its owner to the root alone; elsewhere `values` stay as they are. Any dtype.
  void gather(const TensorView& values, std::span<const Part> parts, int root);

  // The sum over all ranks, everywhere: a reduce-scatter and an all-gather. f32 or bf16.
  void all_reduce(const TensorView& values) { all_reduce(values, even_parts_of(values)); }
  void all_reduce(const TensorView& values, std::span<const Part> parts);

  // `values` of the root to all: scattered, then gathered. Any dtype.
  void broadcast(const TensorView& values, int root);

  // Returns when all ranks have called it.
  void barrier();

  // Sum of one number of each rank, in rank order in f64, everywhere. NaN stays NaN.
  double sum(double mine) {
    sum({&mine, 1});
    return mine;
  }

  // The same of several numbers, in place; as many on every rank.
  void sum(std::span<double> numbers);

  const WireCount& counted() const { return counted_; }

 private:
  struct Piece;
  std::vector<Part> even_parts_of(const TensorView& values) const;
  void exchange(const char* operation, std::span<const Outgoing> outgoing,
                std::span<const Incoming> incoming);
  void reduce_pieces(const ConstTensorView& values, std::span<const Part> parts,
                     const std::vector<Piece>& own);
  void add_up(const ConstTensorView& values, const Piece& piece, std::int64_t skipped,
              std::int64_t staged_per_rank) const;

  Transport& transport_;
  CollectiveOptions options_;
  BufferList buffers_;
  TensorView staging_;  // u8
  WireCount counted_;
};

}  // namespace hone::parallel
