//! Small traces in all formats, and writers for the binary ones, for the tests and benchmarks.
#![allow(dead_code)] // each of them uses a part

use std::path::{Path, PathBuf};
use traces::{Trace, TraceFormat};

/// The files of a trace, and words with which to garble them.
pub struct Sample {
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub words: &'static [&'static str],
}

/// Small traces in a format; none if a library reads its files.
pub fn samples(format: TraceFormat) -> Vec<Sample> {
    match format {
        TraceFormat::Liballprof => {
            ["exchange", "calls"].map(|folder| Sample { files: texts(folder), words: CALL_WORDS }).into()
        }
        TraceFormat::Dumpi => vec![Sample { files: dumpi(), words: &["DUMPI"] }],
        TraceFormat::Goal => vec![Sample { files: texts("goal"), words: GOAL_WORDS }],
        TraceFormat::Chakra => vec![Sample { files: chakra(), words: &["comm_size", "comm_src", "pg_name"] }],
        TraceFormat::Recording => vec![Sample { files: recording(), words: &["torusim recording", "1"] }],
        TraceFormat::Otf2 | TraceFormat::Auto => Vec::new(),
    }
}

/// A recording of the calls of another trace.
fn recording() -> Vec<(PathBuf, Vec<u8>)> {
    let name = format!("torusim-recording-{}-{:?}.trace", std::process::id(), std::thread::current().id());
    let path = std::env::temp_dir().join(name);
    let trace = Trace::from_contents(TraceFormat::Liballprof, texts("calls")).unwrap();
    trace.write_recording(&path, "{}", 700e6).unwrap();
    let content = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    vec![("calls.trace".into(), content)]
}

/// The traces in a folder of the tests' data.
fn texts(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/tests/data").join(folder);
    let files = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_none_or(|extension| extension != "md")).collect();
    files.sort();
    files.into_iter().map(|file| (file.file_name().unwrap().into(), std::fs::read(&file).unwrap())).collect()
}

const CALL_WORDS: &[&str] = &[
    "MPI_Send",
    "MPI_Recv",
    "MPI_Bcast",
    "MPI_Allreduce",
    "MPI_Barrier",
    "MPI_Init",
    "MPI_Finalize",
    "MPI_Comm_rank",
    "MPI_Wtime",
    "MPI_Isend",
    "MPI_Comm_split",
    "MPI_Comm_free",
    "MPI_Startall",
    "MPI_Waitany",
    "MPI_Cancel",
    "-1",
    "-2",
    ":",
    "::",
    "- ",
];

const GOAL_WORDS: &[&str] = &[
    "send",
    "recv",
    "calc",
    "requires",
    "irequires",
    "rank",
    "num_ranks",
    "{",
    "}",
    "-1",
    "tag",
    "cpu",
    "/*",
    "//",
    ":",
];
/// A file of DUMPI, in the making.
struct Dumpi {
    bytes: Vec<u8>,
    counts: Vec<u32>,
    /// The time in nanoseconds.
    time: u32,
}

const CALLS: usize = 290;

impl Dumpi {
    fn new() -> Self {
        let mut bytes = b"\xff\xaa\xddDUMPI".to_vec();
        bytes.extend([0; 8]);
        Dumpi { bytes, counts: vec![0; CALLS + 1], time: 0 }
    }

    /// Writes a call `after` microseconds later, with its fields; it takes 1 us.
    fn call(&mut self, code: u16, after: u32, fields: &[&[u8]]) -> &mut Self {
        self.bytes.extend(code.to_be_bytes());
        // Wall time and thread, no statuses.
        self.bytes.extend([1 << 3 | 1 << 6, 0, 0]);
        for passed in [after, 1] {
            self.time += passed * 1000;
            self.bytes.extend([0, 0]);
            self.bytes.extend(self.time.to_be_bytes());
        }
        self.bytes.extend(fields.concat());
        self.counts[usize::from(code)] += 1;
        self
    }

    fn finish(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.extend(293u16.to_be_bytes());
        let header = bytes.len() as u64;
        bytes.extend([1, 1, 0]);
        bytes.extend([0; 8 + 2 + 2 + 4 + 4]);
        let footer = bytes.len() as u64;
        bytes.extend(0xf007_fee7u64.to_be_bytes());
        self.counts.iter().for_each(|count| bytes.extend(count.to_be_bytes()));
        bytes.extend(vec![0; 4 * (CALLS + 1)]);
        let keyval = bytes.len() as u64;
        bytes.extend([0; 4]);
        bytes.extend(b"\xff\xaa\xddDUMPI");
        for place in [0, 0, 0, header, 8, footer, keyval] {
            bytes.extend(u64::to_be_bytes(place));
        }
        bytes
    }
}

const WORLD: &[u8] = &[0, 2];
const DOUBLE: &[u8] = &[0, 14];

fn int(value: i32) -> Vec<u8> {
    value.to_be_bytes().to_vec()
}

/// Two ranks: a message without blocking, a split into communicators of one, an allreduce.
pub fn dumpi() -> Vec<(PathBuf, Vec<u8>)> {
    let file = |rank: i32| {
        let mut file = Dumpi::new();
        let (code, peer) = if rank == 0 { (8, 1) } else { (12, 0) };
        file.call(124, 0, &[&int(0)])
            .call(code, 20, &[&int(5), DOUBLE, &int(peer), &int(7), WORLD, &int(2)])
            .call(18, 5, &[&int(1), &int(1), &int(2)])
            .call(86, 1, &[WORLD, &int(rank), &int(0), &[0, 4]])
            .call(65, 1, &[&int(3), DOUBLE, &[3], WORLD]);
        file.call(125, 1, &[]);
        (PathBuf::from(format!("rank-{rank}.bin")), file.finish())
    };
    vec![file(0), file(1)]
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// A field that is a number.
fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

/// A field that has a length.
fn block(field: u64, content: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(content.len() as u64), content.to_vec()].concat()
}

/// An attribute: a 32-bit or a 64-bit number, as different writers have it.
fn attribute(name: &str, value: u64) -> Vec<u8> {
    let kind = if name == "comm_size" { 9 } else { 7 };
    block(10, &[block(1, name.as_bytes()), number(kind, value)].concat())
}

fn node(id: u64, kind: u64, after: &[u64], fields: &[Vec<u8>]) -> Vec<u8> {
    let after: Vec<u8> = after.iter().flat_map(|&id| varint(id)).collect();
    let content =
        [number(1, id), block(2, b"node"), number(3, kind), block(5, &after), fields.concat()].concat();
    [varint(content.len() as u64), content].concat()
}

/// Three NPUs: 0 computes 7 us, then sends to 1. All reduce, and 0 and 2 form a group for a second reduction.
pub fn chakra() -> Vec<(PathBuf, Vec<u8>)> {
    let file = |rank: u64| {
        let metadata = block(1, b"0.0.4");
        let mut bytes = [varint(metadata.len() as u64), metadata].concat();
        let size = attribute("comm_size", 4096);
        match rank {
            0 => {
                bytes.extend(node(1, 4, &[], &[number(7, 7)]));
                bytes.extend(node(
                    2,
                    5,
                    &[1],
                    &[size.clone(), attribute("comm_dst", 1), attribute("comm_tag", 3)],
                ));
            }
            1 => bytes.extend(node(
                2,
                6,
                &[],
                &[size.clone(), attribute("comm_src", 0), attribute("comm_tag", 3)],
            )),
            _ => {}
        }
        let before: &[u64] = if rank == 2 { &[] } else { &[2] };
        bytes.extend(node(3, 7, before, &[size.clone(), attribute("comm_type", 0)]));
        if rank != 1 {
            let group = block(10, &[block(1, b"pg_name"), block(29, b"pair")].concat());
            bytes.extend(node(4, 7, &[3], &[size, attribute("comm_type", 6), group]));
        }
        (PathBuf::from(format!("npu.{rank}.et")), bytes)
    };
    (0..3).map(file).collect()
}

/// NPUs that all carry out one collective.
pub fn chakra_collective(npus: u32, comm_type: u64, bytes: u64) -> Vec<(PathBuf, Vec<u8>)> {
    let metadata = block(1, b"0.0.4");
    let begin = [varint(metadata.len() as u64), metadata].concat();
    let collective = node(0, 7, &[], &[attribute("comm_size", bytes), attribute("comm_type", comm_type)]);
    let content = [begin, collective].concat();
    (0..npus).map(|npu| (PathBuf::from(format!("npu.{npu}.et")), content.clone())).collect()
}

/// Two ranks of DUMPI that exchange messages without blocking, `turns` times.
pub fn long_dumpi(turns: u32) -> Vec<(PathBuf, Vec<u8>)> {
    let file = |rank: i32| {
        let mut file = Dumpi::new();
        file.call(124, 0, &[&int(0)]);
        for _ in 0..turns {
            let message = |request: i32| {
                [int(4500), DOUBLE.to_vec(), int(1 - rank), int(7), WORLD.to_vec(), int(request)]
            };
            for (code, request) in [(12, 2), (8, 3)] {
                let fields = message(request);
                let fields: Vec<&[u8]> = fields.iter().map(Vec::as_slice).collect();
                file.call(code, 0, &fields);
            }
            file.call(18, 0, &[&int(2), &int(2), &int(2), &int(3)]);
        }
        file.call(125, 0, &[]);
        (PathBuf::from(format!("rank-{rank}.bin")), file.finish())
    };
    vec![file(0), file(1)]
}

/// Two NPUs that compute and exchange messages, `turns` times.
pub fn long_chakra(turns: u32) -> Vec<(PathBuf, Vec<u8>)> {
    let file = |rank: u64| {
        let metadata = block(1, b"0.0.4");
        let mut bytes = [varint(metadata.len() as u64), metadata].concat();
        for turn in 0..u64::from(turns) {
            let (id, other) = (3 * turn, 1 - rank);
            let (size, tag) = (attribute("comm_size", 36_000), attribute("comm_tag", 3));
            let before: &[u64] = if turn == 0 { &[] } else { &[id - 1] };
            bytes.extend(node(id, 6, &[], &[size.clone(), attribute("comm_src", other), tag.clone()]));
            bytes.extend(node(id + 1, 5, before, &[size, attribute("comm_dst", other), tag]));
            bytes.extend(node(id + 2, 4, &[id + 1], &[number(7, 10)]));
        }
        (PathBuf::from(format!("npu.{rank}.et")), bytes)
    };
    vec![file(0), file(1)]
}
