#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

constexpr Entry kEntries[] = {
    {"BLAS-01", Grade::failure, true, "rocBLAS has no kernels for this GPU.",
     "The installed package does not hold files for its gfx name, or looks in another folder.",
     "install the rocBLAS package for this card (from ROCm 7 one per gfx name), or point "
     "ROCBLAS_TENSILE_LIBPATH at the folder that has them; hide a small GPU of the processor",
     "!rocblas error: cannot read*tensilelibrary\n!rocblas error: could not load*tensilelibrary\n"
     "could not initialize tensile library"},
    {"BLAS-02", Grade::failure, false, "rocBLAS sees no device.",
     "Permissions or the variables that choose GPUs, not rocBLAS.",
     "run `hone doctor` for /dev/kfd, render nodes and visible devices",
     "!could not initialize tensile host: no devices found"},
    {"BLAS-03", Grade::warning, true, "hipBLASLt has no kernels for this GPU.",
     "It is made for some cards only, and for fewer in older releases.",
     "nothing is lost but speed: hipBLAS is used; a newer ROCm may have them",
     "!attempting to use hipblaslt on a*unsupported architecture\n!rocblaslt warning: no paths "
     "matched"},
    {"BLAS-04", Grade::failure, false, "hipBLASLt cannot read its kernels.",
     "Its package is installed in part, was moved, or belongs to another release.",
     "install hipblaslt again in the version of ROCm, or set HIPBLASLT_TENSILE_LIBPATH",
     "!rocblaslt error: cannot read\n!rocblaslt error: could not load\n"
     "hipblas_status_internal_error*hipblaslt"},
    {"BLAS-05", Grade::warning, false, "hipBLASLt knows no way to compute this product.",
     "This combination of types, layout and fused bias is not in the library for this card.",
     "hone then uses hipBLAS; elsewhere drop the fused bias, or TF32",
     "hipblasltmatmulalgogetheuristic*not_supported\nreturnedalgocount*0\n"
     "hipblasltmatmulalgogetheuristic failed"},
    {"BLAS-06", Grade::warning, true,
     "On this card hipBLASLt reads beyond narrow matrices, such as LoRA's.",
     "Since ROCm 7.2 its kernels for gfx12 load past the end of an operand 8 or 16 columns wide, "
     "which "
     "ends in a page fault where nothing is mapped behind it.",
     "`export TORCH_BLAS_PREFER_HIPBLASLT=0 ROCBLAS_USE_HIPBLASLT=0` (hone's own LoRA kernels are "
     "not "
     "concerned), or use ROCm 7.0",
     "cijk_*isa120*dtvb1\ncijk_*dtvb1*isa120"},
    {"BLAS-07", Grade::failure, false, "hipBLASLt gives wrong numbers without an error.",
     "Faults of single releases on gfx950 and gfx1201.",
     "compare a product with a reference when training starts, and change ROCm or the algorithm",
     "", "nothing is printed; it takes a product on the card, compared with the CPU, to see it"},
    {"BLAS-08", Grade::failure, false, "hipBLASLt chose a way to compute and then refused it.",
     "Its workspace is too small, or the choice was made for another shape or handle.",
     "give it a workspace of 32 MiB or more and one handle per stream",
     "hipblasltmatmul*invalid_value\nhipblaslt*workspace*too small\n"
     "hipblas_status_invalid_value*hipblasltmatmul"},
    {"BLAS-09", Grade::warning, false, "Matrix products are much slower than the card.",
     "hipBLASLt and hipBLAS each are slow on some cards (gfx110x and gfx115x).",
     "on gfx115x `export ROCBLAS_USE_HIPBLASLT=1`; on gfx110x leave hipBLASLt out", "",
     "it takes a timed product on the card"},
    {"BLAS-10", Grade::failure, false, "A BLAS library does not find its own files.",
     "Libraries of two installations are mixed, and the data folder of one is not beside it.",
     "clean LD_LIBRARY_PATH and install the library again",
     "hip error*: file not found\nhiperrorfilenotfound\nhipmoduleload failed*file not found"},
    {"BLAS-11", Grade::warning, false, "MIOpen waits for the lock of its cache.",
     "Many processes or users share its folder, often on a network file system.",
     "give each rank a folder on a local disk: MIOPEN_USER_DB_PATH and MIOPEN_CUSTOM_CACHE_DIR "
     "(hone does not use MIOpen)",
     "!miopen*lock\n!db file lock failed"},
    {"BLAS-12", Grade::warning, false, "MIOpen's database is broken.",
     "A killed job, a full quota or a network file system spoiled it.",
     "delete ~/.config/miopen/*.ukdb and *.udb, and put the folder on a local disk",
     "database disk image is malformed\nmiopen*disk i/o error"},
};

}  // namespace

std::span<const Entry> blas_entries() {
  return kEntries;
}

}  // namespace hone::doctor
