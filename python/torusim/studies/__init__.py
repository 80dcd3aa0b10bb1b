"""The studies included in torusim, one folder each; `torusim.study` describes their files."""
