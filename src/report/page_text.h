// report.html: one file that shows a run in any browser, without network and without scripts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/log_entry.h"
#include "report/run_series.h"

namespace hone::report {

struct PageSetting {
  std::string name;
  std::string value;
  std::string origin;  // "base.yaml, line 14"
};

struct PageContent {
  std::string title;                  // the run's name or folder
  std::string state;                  // "finished after 30 steps"
  std::vector<std::string> summary;   // "name: text" lines
  std::vector<PageSetting> settings;  // those that were given or derived; no secrets
  Metrics metrics;                    // of the end; may be empty
  std::string version;
};

// The whole page: loss, learning rate, gradient norm, tokens per second and memory over the steps.
// Every text is escaped. The series is in it as JSON.
std::string page_text(const PageContent& content, const RunSeries& series);

// The JSON of the series in such a page; empty when it is none.
std::string series_in(std::string_view page);

}  // namespace hone::report
