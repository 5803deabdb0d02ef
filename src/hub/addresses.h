// The addresses of a hub's interface, with everything in them escaped.
#pragma once

#include <cstddef>
#include <string>

#include "hub/hub_options.h"
#include "hub/repository.h"

namespace hone::hub {

constexpr std::size_t kPageEntries = 200;

// ModelScope lists the files of data sets in pages, from 1 on, of kPageEntries entries.
std::string listing_address(const HubOptions& options, const Repository& repository,
                            std::size_t page);
// Of Hugging Face alone.
std::string search_address(const HubOptions& options, const Repository& repository);
std::string file_address(const HubOptions& options, const Repository& repository,
                         const std::string& commit, const std::string& file);
// What a person opens.
std::string page_address(const HubOptions& options, const Repository& repository);

}  // namespace hone::hub
