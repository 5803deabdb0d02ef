// The shared library consists of the archives of the rooms; a target needs one source of its own.
