// fontconfig keeps what it parsed of its configuration for the life of the process, behind
// pointers that the leak check does not see. Nothing of ours is hidden by this.
extern "C" const char* __lsan_default_suppressions();

extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig\n";
}
