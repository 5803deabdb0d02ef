#include "assemble/result_files.h"

#include "formats/file_writer.h"
#include "formats/whole_file.h"
#include "report/results.h"

namespace hone::assemble {
namespace {

// More than any file of results that was not made by mistake.
constexpr std::size_t kResultsBytes = std::size_t{16} << 20;

}  // namespace

void write_results(formats::FileSystem& system, const std::filesystem::path& folder,
                   const std::string& split, const report::Metrics& metrics,
                   std::optional<double> epoch, LogSink& log) {
  formats::write_whole_file(system, folder / (split + "_results.json"),
                            report::results_text(metrics, epoch));
  const std::filesystem::path all = folder / "all_results.json";
  const std::string existing =
      std::filesystem::exists(all) ? formats::read_whole_file(all, kResultsBytes) : std::string();
  formats::write_whole_file(system, all, report::all_results_text(existing, metrics, epoch, log));
}

}  // namespace hone::assemble
