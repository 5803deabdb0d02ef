// write_kit FOLDER: the models T (everything), C (closed_form), S (tied_sines) and W (wide) for
// tests that are not written in C++.
#include <cstdio>

#include "kit/kit_data.h"
#include "kit/kit_model.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_kit FOLDER\n", stderr);
    return 2;
  }
  using hone::kit::Kind;
  const std::filesystem::path folder = argv[1];
  hone::kit::write_model(folder / "T", {Kind::everything});
  hone::kit::write_model(folder / "C", {Kind::closed_form});
  hone::kit::write_model(folder / "S", {Kind::tied_sines});
  // Several segments of the gradient norm: something to share out between ranks.
  hone::kit::ModelOptions wide;
  wide.sizes = hone::kit::kWideSizes;
  hone::kit::write_model(folder / "W", wide);
  hone::kit::write_data(folder / "AB", hone::kit::data_ab());
  hone::kit::write_data(folder / "K10", hone::kit::data_k10());
  return 0;
}
