#include "report/event_record.h"

#include <gtest/gtest.h>

#include <cstring>

namespace hone::report {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    text += kDigits[value >> 4];
    text += kDigits[value & 15u];
  }
  return text;
}

// RFC 3720, appendix B.4.
TEST(Crc32c, IsCastagnolis) {
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(""), 0u);
}

// The bytes that TensorBoard's own RecordWriter (tensorboard 2.21) gives these messages.
TEST(EventRecord, HasTheBytesOfTensorBoardsWriter) {
  EXPECT_EQ(hex(event_record(version_event(1.5))),
            "1800000000000000a37f4b2209000000000000f83f1a0d627261696e2e4576656e743a32"
            "2a28646c");
  EXPECT_EQ(hex(event_record(scalars_event(2.0, 7, {{"train/loss", 1.25}}))),
            "200000000000000029eda95009000000000000004010072a130a110a0a747261696e2f6c"
            "6f7373150000a03f2e230313");
  EXPECT_EQ(hex(event_record(session_start_event(3.0, 301))),
            "100000000000000095fbfe1809000000000000084010ad023a02080195f4cd0e");
  EXPECT_EQ(hex(event_record(text_event(4.0, 0, "args", "{}"))),
            "3800000000000000a3797d570900000000000010402a2d0a2b0a11617267732f74657874"
            "5f73756d6d617279420c080712041202080142027b7d4a080a060a04746578748ef9b998");
}

TEST(EventRecord, OfSeveralFiguresIsReadBackByStep) {
  const std::string file =
      event_record(version_event(1)) +
      event_record(scalars_event(2, 300, {{"train/loss", 1}, {"train/epoch", 2}})) +
      event_record(text_event(3, 0, "args", "{}")) + event_record(session_start_event(4, 301));
  const std::vector<FoundEvent> events = read_events(file);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].step, 0);
  EXPECT_EQ(events[1].step, 300);
  EXPECT_EQ(events[2].step, 0);
  EXPECT_EQ(events[3].step, 301);
  EXPECT_EQ(events[3].offset + events[3].size, file.size());
  EXPECT_NE(events[1].message.find("train/epoch"), std::string_view::npos);
}

TEST(EventRecord, ThatIsTornEndsTheFile) {
  const std::string one = event_record(scalars_event(2, 3, {{"a", 1}}));
  for (std::size_t size = 0; size < one.size(); ++size) {
    const std::string file = one + one.substr(0, size);
    EXPECT_EQ(read_events(file).size(), 1u) << size;
  }
}

TEST(EventRecord, WithAnyBitTurnedIsNotBelieved) {
  const std::string one = event_record(scalars_event(2, 3, {{"a", 1}}));
  for (std::size_t bit = 0; bit < one.size() * 8; ++bit) {
    std::string file = one;
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_TRUE(read_events(file).empty()) << bit;
  }
}

// A length that is told with a right checksum and is not there, and messages of any bytes.
TEST(EventRecord, OfForeignMessagesIsReadWithoutHarm) {
  for (const char* message :
       {"\x10", "\x10\xff", "\x0a\xff\xff\xff\xff\x0f", "\x07", "\x0d", "\x09"}) {
    const std::vector<FoundEvent> events = read_events(event_record(message));
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].step, 0);
  }
  EXPECT_TRUE(read_events("not an event file at all, only text").empty());
}

}  // namespace
}  // namespace hone::report
