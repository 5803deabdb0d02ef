import unittest

from example_tree import ExampleTree
import include_table

TABLE = """
hone_room(base)
hone_room(formats USES base LINKS fmt::fmt)
hone_room(ops USES base)  # hone_room(not_a_room USES ops)
hone_room(layers
          USES ops)
hone_room(data USES formats)
hone_room(device/gpu USES base)
"""


class IncludeTable(ExampleTree):
    def setUp(self):
        super().setUp()
        self.write("src/CMakeLists.txt", TABLE)

    def findings(self):
        return include_table.findings(self.root)

    def test_reads_uses_but_not_links_or_comments(self):
        self.assertEqual(include_table.read_table(TABLE)["formats"], {"base"})
        self.assertNotIn("not_a_room", include_table.read_table(TABLE))

    def test_allows_base_listed_rooms_and_what_those_use(self):
        self.write("src/layers/a.cpp", '#include "ops/b.h"\n#include "base/c.h"\n#include <memory>\n')
        self.write("src/data/a.cpp", '#include "data/own.h"\n#include "formats/b.h"\n')
        self.assertEqual(self.findings(), [])

    def test_refuses_a_room_that_is_not_listed(self):
        self.write("src/layers/a.cpp", '#include <string>\n#include "formats/b.h"\n')
        self.assertEqual(len(self.findings()), 1)
        self.assertIn("src/layers/a.cpp:2: includes formats/b.h: layers may not use formats", self.findings()[0])

    def test_refuses_it_in_angle_brackets_too(self):
        self.write("src/layers/a.cpp", "#include <formats/b.h>\n")
        self.assertIn("layers may not use formats", self.findings()[0])

    def test_refuses_a_path_relative_to_the_file(self):
        self.write("src/layers/a.cpp", '#include "b.h"\n')
        self.assertIn("by its path in src/", self.findings()[0])

    def test_refuses_a_folder_that_is_no_room(self):
        self.write("src/utils/a.h", "")
        self.assertIn("src/utils is no room", self.findings()[0])

    def test_refuses_rooms_that_use_each_other(self):
        self.write("src/CMakeLists.txt", "hone_room(base)\nhone_room(a USES b)\nhone_room(b USES a)\n")
        self.assertIn("a and b use each other", self.findings()[0])

    def test_refuses_an_undeclared_room_in_uses(self):
        self.write("src/CMakeLists.txt", "hone_room(base)\nhone_room(a USES nowhere)\n")
        self.assertIn("a USES nowhere", self.findings()[0])

    def test_refuses_two_headers_that_include_each_other(self):
        self.write("src/ops/a.h", '#include "ops/b.h"\n')
        self.write("src/ops/b.h", '#include "ops/a.h"\n')
        self.assertEqual(self.findings(), ["src/ops/a.h:1: src/ops/a.h and src/ops/b.h include each other"])

    def test_refuses_kernels_and_concrete_devices_in_apps(self):
        self.write("apps/cli/a.cpp", '#include "kernels/cpu/x.h"\n#include "device/cpu/y.h"\n#include "train/z.h"\n')
        self.assertEqual([line.split(": ")[1] for line in self.findings()],
                         ["includes kernels/cpu/x.h", "includes device/cpu/y.h"])

    def test_keeps_vendor_headers_in_the_device_folders(self):
        self.write("src/device/gpu/a.cpp", "#include <hip/hip_runtime.h>\n")
        self.assertEqual(self.findings(), [])
        self.write("src/layers/a.cpp", "#include <hip/hip_runtime.h>\n")
        self.assertIn("may see a vendor's headers", self.findings()[0])

    def test_keeps_family_headers_from_other_rooms(self):
        self.write("src/CMakeLists.txt", "hone_room(base)\nhone_room(model USES base)\nhone_room(train USES model)\n")
        self.write("src/model/a.cpp", '#include "model/families/x.h"\n')
        self.assertEqual(self.findings(), [])
        self.write("src/train/a.cpp", '#include "model/families/x.h"\n')
        self.assertIn("may name a family's header", self.findings()[0])


if __name__ == "__main__":
    unittest.main()
