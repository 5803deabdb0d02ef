// Reading a machine's files, whatever they hold.
#include "doctor/machine.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "unit/doctor/machine_tree.h"

namespace hone::doctor {
namespace {

TEST(Machine, HostileFilesAreNotKnown) {
  MachineTree tree;
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 31);
  tree.add(kRx7900);
  for (const char* path :
       {"/proc/cmdline", "/proc/meminfo", "/proc/self/status", "/proc/self/limits",
        "/proc/self/mounts", "/proc/sys/kernel/osrelease", "/etc/group", "/dev/kmsg", "/dev.txt",
        "/opt/rocm-6.4.1/.info/version", "/sys/module/amdgpu/version",
        "/sys/class/kfd/kfd/topology/nodes/1/mem_banks/0/properties"}) {
    tree.file(path, bytes);
    EXPECT_FALSE(examination_text(tree.examine(), true).empty()) << path;
  }
  tree.file(
      "/sys/class/kfd/kfd/topology/nodes/1/properties",
      "simd_count 18446744073709551615\nsimd_per_cu 1\ngfx_target_version 99999999999999999999\n"
      "location_id 18446744073709551615\ndomain 18446744073709551615\n");
  EXPECT_FALSE(examination_json(tree.examine()).empty());
}

TEST(Machine, EmptyFolderIsAMachineWithoutGpu) {
  MachineTree tree;
  for (const char* path : {"/proc", "/sys", "/dev", "/opt", "/etc", "/usr"}) tree.remove(path);
  const Examination examination = tree.examine();
  EXPECT_EQ(exit_status(examination), 0);
  EXPECT_EQ(examination.verdict, "No AMD GPU can be used; the CPU can.");
}

TEST(Machine, PipesAndLoopsDoNotStopIt) {
  MachineTree tree;
  tree.add(kRx7900).remove("/proc/meminfo").link("/sys/class/net/loop", "loop");
  ASSERT_EQ(mkfifo((tree.root() / "proc/meminfo").c_str(), 0600), 0);
  tree.remove("/opt/rocm").link("/opt/rocm", "/opt/rocm");
  EXPECT_FALSE(examination_text(tree.examine(), false).empty());
}

TEST(Machine, ThisOne) {
  const Machine machine("/", {});
  EXPECT_TRUE(machine.is_this_one());
  EXPECT_TRUE(machine.text("/proc/self/status"));
  EXPECT_TRUE(machine.limit("Max open files"));
  EXPECT_FALSE(machine.device("/dev/no_such_device").exists);
  EXPECT_EQ(machine.device("/dev/null").open_error, 0);
}

TEST(Machine, NamesInOrderAndNumbers) {
  MachineTree tree;
  tree.file("/x/card10/a", "0x1f\n").file("/x/card2/a", "-7 and more").file("/x/card1/a", "none");
  const Machine machine(tree.root(), {"A=1", "B=", "nothing"});
  EXPECT_EQ(machine.names("/x"), (std::vector<std::string>{"card1", "card2", "card10"}));
  EXPECT_EQ(machine.number("/x/card10/a"), 31);
  EXPECT_EQ(machine.number("/x/card2/a"), -7);
  EXPECT_FALSE(machine.number("/x/card1/a"));
  EXPECT_EQ(machine.variable("A"), "1");
  EXPECT_FALSE(machine.variable("B"));
  EXPECT_EQ(version_numbers("6.12.12-1"), (std::vector<int>{6, 12, 12}));
  EXPECT_TRUE(version_numbers("x1").empty());
}

TEST(Hardware, NamesOfTargets) {
  const std::pair<int, const char*> names[] = {
      {90006, "gfx906"},   {90010, "gfx90a"},   {90402, "gfx942"},  {90500, "gfx950"},
      {100306, "gfx1036"}, {110501, "gfx1151"}, {120001, "gfx1201"}};
  for (const auto& [version, name] : names) EXPECT_EQ(gfx_name(version), name);
}

TEST(Examination, JsonHoldsWhatTheTableHolds) {
  MachineTree tree;
  tree.add(kRx7900).file("/proc/self/limits", "Max open files  1024  4096  files\n");
  const std::string text = examination_json(tree.examine());
  for (const char* part : {"\"exit_status\": 3", "\"gpu_usable\": true", "\"cpu_usable\": true",
                           "\"id\": \"D-13\"", "\"severity\": \"warning\"", "\"looked_at\": false",
                           "Max open files: 1024 (at most 4096)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  }
}

TEST(Examination, ColoursOnlyWhereAsked) {
  MachineTree tree;
  tree.add(kRx7900).variable("HSA_XNACK=1");
  const std::string plain = examination_text(tree.examine(), false);
  std::string coloured = examination_text(tree.examine(), true);
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  EXPECT_NE(coloured.find("\x1b[33mwarning\x1b[0m"), std::string::npos);
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos;
       at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  }
  EXPECT_EQ(coloured, plain);
}

TEST(Examination, SaysThatTheModuleIsNotThere) {
  MachineTree tree;
  tree.add(kRx7900);
  EXPECT_EQ(
      examine(Machine(tree.root(), {}), false).verdict,
      "1 GPU is ready as far as files can tell, but this hone has no GPU module: it trains on "
      "the CPU.");
}

TEST(Examination, AfterTheFirstObstacleNothingThatWaitsForIt) {
  MachineTree tree;
  tree.add(kRx7900).remove("/opt").file("/proc/self/limits", "Max open files  64  64  files\n");
  for (const Answer& answer : tree.examine().answers) {
    if (answer.check == "limits") {
      EXPECT_EQ(answer.state, Answer::State::left_out);
      EXPECT_EQ(answer.result.summary, "first: ROCm libraries");
    }
  }
}

}  // namespace
}  // namespace hone::doctor
