#include "cli/error_text.h"

#include <new>

#include "assemble/rank_session.h"
#include "base/error.h"
#include "doctor/explain.h"

namespace hone::cli {
namespace {

// What the doctor knows of an error of the system, below the error.
std::string with_remedy(const std::string& error, const std::string& remedy) {
  return remedy.empty() ? error : error + "\n" + remedy;
}

}  // namespace

std::string error_text() {
  try {
    throw;
  } catch (const assemble::OtherRankFailed& error) {
    return error.what();
  } catch (const UserError& error) {
    return with_remedy(error.what(), doctor::remedy_for(error));
  } catch (const std::bad_alloc&) {
    return to_text({"memory", "the system has no more",
                    "set memory_limit, or make micro_step_tokens or cutoff_len smaller"});
  } catch (const std::exception& error) {
    return with_remedy(
        std::string(error.what()) +
            "\n  This is a defect of hone. Please report it with the command and this text.",
        doctor::remedy_for(error.what()));
  }
}

}  // namespace hone::cli
