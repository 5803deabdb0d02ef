// The parts of attention's inner loops: packing, masks.
#if defined(HONE_KERNELS_CPU_ATTENTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HONE_KERNELS_CPU_ATTENTION_INL_H_
#undef HONE_KERNELS_CPU_ATTENTION_INL_H_
#else
#define HONE_KERNELS_CPU_ATTENTION_INL_H_
#endif

#include "kernels/cpu/attention_tiles.h"
#include "kernels/cpu/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// Row of a tensor [T, H, E] that packed query p of a tile reads or writes.
template <class View>
HWY_INLINE auto* packed_row(const View& view, const QueryTile& tile, std::int64_t p) {
  const std::int64_t group = tile.span.group;
  const std::int64_t head = tile.kv_head * group + p % group;
  return view.template row<float>(tile.span.query_row + p / group) + head * view.shape()[2];
}

// Copies `rows` rows of `width` elements, times `scale`, and pads each with zeros.
HWY_INLINE void pack_row(const float* from, std::int64_t width, float scale, float* to) {
  const VF factor = hn::Set(DF(), scale);
  for (std::int64_t e = 0; e < width; e += lanes()) {
    hn::StoreU(hn::Mul(load_up_to(from + e, width - e), factor), DF(), to + e);
  }
  const std::int64_t end = (width + lanes() - 1) / lanes() * lanes();
  for (std::int64_t e = end; e < padded_width(width); ++e) to[e] = 0.0f;
}

// The rows of the tile side by side: to[e][p], columns beyond the tile's count zero.
HWY_INLINE void pack_columns(const float* packed_rows, std::int64_t width, std::int64_t count,
                             float* to) {
  const std::int64_t stride = padded_width(width);
  for (std::int64_t e = 0; e < width; ++e) {
    float* column = to + e * kQueryTile;
    for (std::int64_t p = 0; p < count; ++p) column[p] = packed_rows[p * stride + e];
    for (std::int64_t p = count; p < kQueryTile; ++p) column[p] = 0.0f;
  }
}

// Which keys each column of a tile sees.
struct TileMask {
  HWY_ALIGN std::int32_t first[kQueryTile];
  HWY_ALIGN std::int32_t last[kQueryTile];
  std::int64_t seen_by_all_from, seen_by_all_to;

  explicit TileMask(const QueryTile& tile) {
    for (std::int64_t p = 0; p < kQueryTile; ++p) {
      const bool used = p < tile.count;
      first[p] = used ? static_cast<std::int32_t>(tile.span.first_key(tile.first + p)) : 0;
      last[p] = used ? static_cast<std::int32_t>(tile.span.last_key(tile.first + p)) : -1;
    }
    seen_by_all_from = first[tile.count - 1];
    seen_by_all_to = last[0];
  }

  bool hides(std::int64_t first_key, std::int64_t last_key) const {
    return first_key < seen_by_all_from || last_key > seen_by_all_to;
  }

  HWY_INLINE hn::Mask<DF> visible(std::int64_t key, std::int64_t column) const {
    const hn::RebindToSigned<DF> di;
    const auto j = hn::Set(di, static_cast<std::int32_t>(key));
    const auto from = hn::LoadU(di, first + column);
    const auto to = hn::LoadU(di, last + column);
    const auto seen = hn::AndNot(hn::VecFromMask(di, hn::Lt(j, from)),
                                 hn::AndNot(hn::VecFromMask(di, hn::Gt(j, to)), hn::Set(di, -1)));
    return hn::MaskFromVec(hn::BitCast(DF(), seen));
  }
};

// Columns of a tile that are computed: its count rounded up to whole vectors.
HWY_INLINE std::int64_t used_columns(const QueryTile& tile) {
  return padded_width(tile.count);
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
