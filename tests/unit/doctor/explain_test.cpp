#include "doctor/explain.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace hone::doctor {
namespace {

struct Text {
  std::string id;
  std::string text;
};

std::vector<std::string> data_lines(const char* name) {
  std::ifstream file(std::string(HONE_TEST_DATA) + "/" + name);
  std::vector<std::string> found;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') found.push_back(line);
  }
  return found;
}

std::vector<Text> error_texts() {
  std::vector<Text> texts;
  for (const std::string& line : data_lines("error_texts.txt")) {
    if (line.rfind("== ", 0) == 0) {
      texts.push_back({line.substr(3), ""});
    } else {
      texts.back().text += line + "\n";
    }
  }
  return texts;
}

std::string first_id(const std::string& text) {
  const std::vector<Explanation> found = explain(text);
  return found.empty() ? "not known" : std::string(found.front().entry->id);
}

TEST(Explain, ErrorsOfTheField) {
  const std::vector<Text> texts = error_texts();
  ASSERT_GE(texts.size(), 60u);
  std::string wrong;
  std::size_t right = 0;
  for (const Text& one : texts) {
    const std::string first = first_id(one.text);
    if (first == one.id) ++right;
    if (first != one.id) wrong += first + " for " + one.id + ": " + one.text;
  }
  EXPECT_EQ(right, texts.size()) << wrong;
}

TEST(Explain, WhatIsNotKnownGetsNoRemedy) {
  const std::vector<std::string> texts = data_lines("unrelated_texts.txt");
  ASSERT_EQ(texts.size(), 20u);
  for (const std::string& text : texts) {
    EXPECT_EQ(first_id(text), "not known") << text;
    EXPECT_EQ(explanation_text(explain(text)),
              "not known: nothing in this text is a failure that hone knows\n");
    EXPECT_EQ(remedy_for(text), "") << text;
  }
}

TEST(Explain, ALogIsReadFromCauseToConsequence) {
  const std::string log =
      "step 12 loss 1.3\n"
      "amdgpu 0000:03:00.0: amdgpu: SMU driver if version not matched\n"
      "HIP error: unspecified launch failure\n"
      "amdgpu: MES failed to respond to msg=REMOVE_QUEUE\n"
      "Memory access fault by GPU node-1 (Agent handle: 0x1) on address 0x2. Reason: Page not "
      "present\n"
      "Memory access fault by GPU node-1 (Agent handle: 0x1) on address 0x3. Reason: Page not "
      "present\n";
  const std::vector<Explanation> found = explain(log);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].entry->id, "FLT-01");
  EXPECT_EQ(found[0].line_number, 5);
  EXPECT_EQ(found[0].count, 2);
  EXPECT_EQ(found[1].entry->id, "DRV-06");
  EXPECT_EQ(found[2].entry->id, "LCH-01");
}

TEST(Explain, AnErrorBehindAProgressBarIsFound) {
  std::string log = "start\n";
  for (int i = 0; i < 1000; ++i) log += " 12%|##        | " + std::to_string(i) + "/903 it/s\r";
  log += "HW Exception by GPU node-9 (Agent handle: 0x1) reason :GPU Hang\r\nend\n";
  const std::vector<Explanation> found = explain(log);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].entry->id, "FLT-04");
  EXPECT_EQ(found[0].line_number, 2);
}

TEST(Explain, TextForPeople) {
  EXPECT_EQ(
      explanation_text(explain("x\nUnable to open /dev/kfd read-write: Invalid argument")),
      "DEV-07  /dev/kfd answers 'Invalid argument'.\n"
      "  line 2: Unable to open /dev/kfd read-write: Invalid argument\n"
      "  why:   Often the device file in a container was made by hand and its number belongs "
      "to another driver now: the number of kfd changes when the driver is loaded again.\n"
      "  to do: map the host's device (`--device=/dev/kfd`) instead of making one with mknod; "
      "after the driver was loaded again, start the container anew\n");
}

TEST(Explain, TextForPrograms) {
  const std::string text = explanation_json(explain("Key was rejected by service"));
  EXPECT_NE(text.find("\"known\": true"), std::string::npos) << text;
  EXPECT_NE(text.find("\"id\": \"DRV-02\""), std::string::npos) << text;
  EXPECT_NE(explanation_json({}).find("\"known\": false"), std::string::npos);
}

TEST(Explain, AnyBytes) {
  std::string bytes;
  for (int i = 0; i < 70000; ++i) bytes += static_cast<char>(i * 7 + i / 256);
  EXPECT_TRUE(explain(bytes).empty());
  EXPECT_TRUE(explain("").empty());
  EXPECT_TRUE(explain("\n\n\n").empty());
  const std::vector<Explanation> found =
      explain(std::string("\xff\x1b[31m HW Exception by GPU node-9 reason :GPU Hang\0", 49));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line.find('\x1b'), std::string::npos);
}

TEST(Explain, ErrorsOfARunByWhatTheSystemFound) {
  const UserError full(
      Fault{"writing out/model.safetensors", "No space left on device", "free space"});
  EXPECT_EQ(remedy_for(full),
            "  known as ENV-01: The disk is full.\n"
            "    why:   A checkpoint with optimizer states is several times the model's size, and "
            "old ones are kept.\n"
            "    to do: free space, set save_total_limit, or choose another output_dir");
  const UserError asked(
      Fault{"dataset: 'No space left on device'", "no such data set", "choose one"});
  EXPECT_EQ(remedy_for(asked), "");
}

}  // namespace
}  // namespace hone::doctor
