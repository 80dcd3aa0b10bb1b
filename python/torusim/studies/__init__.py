"""The studies that come with torusim, a folder each; `torusim.study` says what is in one."""
