"""The studies of torusim: published figures, each reproduced with one command, `torusim study NAME`.

Each study has a folder; `torusim.study` describes its files, reads and runs it, and judges the claims. Several studies
share:

    measures      time series of runs, and their panels
    partitions    shapes of Blue Gene/P, and how a room wires them
    queues        the queue of the paper on meshes
    presets numbers of the presets, for expected values

    claims.toml      all claims
    verdicts.json    the last verdicts at each scale
    bands.json       every test and band that a verdict was recorded with
"""
