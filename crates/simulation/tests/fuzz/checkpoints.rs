//! Fuzz target: checkpoints. Genuine ones of small runs are altered.
//!
//! ```text
//!   altered:             never resumed
//!   altered and sealed:  refused, or resumed and run on; nothing that the compiler may assume is violated
//! ```
//!
//! A sealed one may hold a state to which no run leads. It may end in any other assertion, which the bindings report as
//! an error (`bindings/src/resumed.rs`), or run without end.

use base::checkpoint::FrameWriter;
use proptest::prelude::*;
use proptest::sample::Index;
use serde::ser::SerializeTuple;
use serde::{Serialize, Serializer};
use simulation::{EngineKind, InputError, Run, parse_override, resolve};
use std::any::Any;
use std::cell::Cell;
use std::ops::Range;
use std::panic;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{LazyLock, Once};
use std::thread;
use std::time::Duration;

/// Small machines that together have all kinds of state.
const SCENARIOS: &[&str] = &[
    // Plain, compact.
    "machine.shape = [4, 2, 2]\nworkload = { kind = \"uniform-random\" }",
    "machine.shape = [4]\nworkload = { kind = \"tornado\", load = 0.9 }",
    // Sizes and priorities, without software; open edges.
    "machine = { shape = [3, 2, 2], wrap = false }\n\
     workload = { kind = \"uniform-random\", packet_bytes = [32, 256], high_priority_share = 0.3, load = 0.9 }",
    // Wide.
    "machine.shape = [2, 2, 2, 2]\nworkload = { kind = \"uniform-random\", packet_bytes = [32, 256] }",
    // Options.
    "machine = { shape = [4, 4], router = { escape = \"dateline\", arbitration_gap_share = 0.4 }, \
     node = { injection_window_packets = 3 } }\nworkload = { kind = \"uniform-random\" }\nrun.observe_buffers = true",
    // Lossy links.
    "machine = { shape = [3, 2], link_errors = { bit_error_rate = 1e-4, timeout_cycles = 800 } }\n\
     workload = { kind = \"uniform-random\", load = 0.9 }",
    "machine = { shape = [4], link_errors = { bit_error_rate = 3e-4, timeout_cycles = 800, explicit_acks = true } }\n\
     workload = { kind = \"ping-pong\", payload_bytes = 600 }",
    // Software with FIFOs and costs.
    "machine = { shape = [4, 2], node = { injection_fifo_bytes = 1024, cores = 2, write_processor_cycles = 60, \
     read_processor_cycles = 900, injection_window_packets = 5 } }\n\
     workload = { kind = \"uniform-random\", packet_bytes = [32, 256], high_priority_share = 0.2 }",
    // Relays past dead nodes.
    "machine = { shape = [5, 5], dead_nodes = [[1, 1], [3, 1]], without_clean_escape = \"relay\" }\n\
     workload = { kind = \"uniform-random\", routing = \"deterministic\" }",
    // Copies, and software that forwards.
    "machine = { shape = [4, 3], node.cores = 2 }\nworkload = { kind = \"torus-broadcast\", payload_bytes = 6000 }",
    "machine = { shape = [3, 2, 2], node.cores = 2 }\n\
     workload = { kind = \"kernel\", name = \"halo-3d\", bytes = 20000, iterations = 3 }",
    "machine = { shape = [3, 2, 2], node.injection_fifo_bytes = 1024 }\n\
     workload = { kind = \"kernel\", name = \"halo-3d\", iterations = 5 }\n\
     messaging = { write_processor_cycles = 60, read_processor_cycles = 204 }\nrun = { communication = true }",
    "machine = { shape = [3, 3] }\n\
     workload = { kind = \"kernel\", name = \"six-way-receive\", bytes = 9000, iterations = 4 }",
    // Measurements, and calls after the iterations.
    "machine = { shape = [2, 1] }\n\
     workload = { kind = \"kernel\", name = \"b-eff\", longest_bytes = 4096, random_patterns = 1, \
     methods = [\"nonblocking\"] }",
    "machine = { shape = [2, 2] }\n\
     workload = { kind = \"kernel\", name = \"nas-lu\", class = \"S\", iterations = 2 }",
    // Collective networks.
    "machine = { shape = [3, 2], node.cores = 2 }\n\
     workload = { kind = \"collective\", algorithm = \"tree-network\", bytes = 9000, operands = \"floating\" }",
    "machine = { shape = [3, 2] }\n\
     workload = { kind = \"collective\", operation = \"barrier\", algorithm = \"interrupts\", repetitions = 20 }",
    "machine = { shape = [3, 2], tree.class_routes = 3 }\n\
     workload = { kind = \"collective\", over = [\"x\"], algorithm = \"tree-network\", bytes = 9000 }",
    // Ranks.
    "machine = { shape = [2, 2], dead_nodes = [[1, 1]] }\n\
     workload = { kind = \"trace\", path = \"TRACE\", compute_scale = 0.01 }",
    "machine = { shape = [2, 2] }\nworkload = { kind = \"trace\", path = \"TRACE/../calls\", compute_scale = 0.05 }",
    "machine = { shape = [3, 1] }\nworkload = { kind = \"trace\", path = \"TRACE/../goal\" }",
    // Ranks of a job next to nodes of another that fill infinite FIFOs and choose routes.
    "machine = { shape = [4, 2] }\n\
     jobs = [{ box.shape = [2, 2], workload = { kind = \"kernel\", name = \"nas-lu\", class = \"S\", iterations = 2 } }, \
     { box = { origin = [2, 0], shape = [2, 2] }, workload = { kind = \"uniform-random\", routing = \"ugal\" } }]",
];

/// The frames of a checkpoint.
type Frames = Vec<Vec<u8>>;

/// Checkpoints of all scenarios on all engines of packets, at some moments.
static GENUINE: LazyLock<Vec<Frames>> = LazyLock::new(|| {
    let runs =
        SCENARIOS.iter().flat_map(|scenario| EngineKind::of_packets().map(move |engine| (scenario, engine)));
    runs.flat_map(|(scenario, engine)| checkpoints_of(scenario, engine)).collect()
});

fn checkpoints_of(scenario: &str, engine: EngineKind) -> Vec<Frames> {
    let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/../traces/tests/data/exchange");
    // The reference engine is slow.
    let cycles = if engine == EngineKind::Windowed { 2000 } else { 700 };
    let limits = [
        format!("run.time_limit_cycles={cycles}"),
        "run.warmup_cycles=100".to_owned(),
        "run.measure_cycles=4000".to_owned(),
        "run.series_interval_cycles=150".to_owned(),
    ];
    let overrides = limits.map(|text| parse_override(&text).unwrap());
    let text = scenario.replace("TRACE", trace);
    let is_open = text.contains("uniform-random") || text.contains("tornado");
    let overrides = if is_open { &overrides[..] } else { &overrides[..1] };
    let scenario =
        resolve(&text, "fuzz.toml", Path::new(""), overrides).unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(scenario, engine, 1).unwrap_or_else(|error| panic!("{error}"));
    let mut checkpoints = Vec::new();
    while !run.advance(Duration::ZERO).done {
        checkpoints.push(frames_of(&run));
    }
    assert!(checkpoints.len() > 2, "{text}: too short");
    checkpoints
}

fn frames_of(run: &Run) -> Frames {
    let mut content = Vec::new();
    run.save_to(&mut content).unwrap();
    let (mut frames, mut rest) = (Vec::new(), &content[..]);
    while let Some((length, behind)) = rest.split_first_chunk() {
        let (frame, behind) = behind.split_at(u32::from_le_bytes(*length) as usize);
        frames.push(frame.to_vec());
        rest = &behind[SEAL_BYTES..];
    }
    frames
}

const SEAL_BYTES: usize = 16;

/// Bytes that are saved as they are.
struct Raw<'a>(&'a [u8]);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        self.0.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
        tuple.end()
    }
}

fn sealed(frames: &Frames) -> Vec<u8> {
    let mut content = Vec::new();
    let mut writer = FrameWriter::new(&mut content);
    frames.iter().for_each(|frame| writer.write(&Raw(frame)).unwrap());
    content
}

/// Frames with the seals of others, as many as there are.
fn with_seals_of(frames: &Frames, genuine: &Frames) -> Vec<u8> {
    let (mut content, mut rest) = (Vec::new(), &sealed(genuine)[..]);
    for (number, frame) in frames.iter().enumerate() {
        content.extend((frame.len() as u32).to_le_bytes());
        content.extend(frame);
        if let Some(of_other) = genuine.get(number) {
            let (seal, behind) = rest[4 + of_other.len()..].split_at(SEAL_BYTES);
            content.extend(seal);
            rest = behind;
        }
    }
    content
}

/// A change in one frame, or of whole frames.
#[derive(Clone, Debug)]
enum Alteration {
    Flip(Place, u8),
    Set(Place, u8),
    /// Replaces one number of variable length by another.
    Number(Place, u64),
    /// Adds to a number of variable length.
    Add(Place, i8),
    Swap(Place, Index),
    /// Replaces bytes by others of the same frame of any genuine checkpoint.
    Copy(Place, Index, u8),
    /// Mixes bytes with others from the same place.
    Mix(Place, Index, u8),
    Truncate(Place),
    Replace(Place, Index),
    Repeat(Place),
    Omit(Place),
}

/// A frame, and a byte of it.
#[derive(Clone, Copy, Debug)]
struct Place(Index, Index);

fn alteration() -> impl Strategy<Value = Alteration> {
    let place = || (any::<Index>(), any::<Index>()).prop_map(|(frame, byte)| Place(frame, byte));
    let extremes = prop::sample::select(&[0, 1, 2, 6, 7, 17, 23, 31, 127, 128, 255, 256, 16383, 1 << 31][..]);
    let byte = prop_oneof![any::<u8>(), prop::sample::select(&[0, 1, 2, 3, 6, 8, 0x7f, 0x80, 0xff][..])];
    let numbers = prop_oneof![extremes, any::<u64>().prop_map(|bits| bits >> (bits % 64)), Just(u64::MAX)];
    prop_oneof![
        8 => (place(), 0u8..8).prop_map(|(place, bit)| Alteration::Flip(place, bit)),
        8 => (place(), byte).prop_map(|(place, byte)| Alteration::Set(place, byte)),
        8 => (place(), numbers).prop_map(|(place, number)| Alteration::Number(place, number)),
        8 => (place(), -2i8..=2).prop_map(|(place, step)| Alteration::Add(place, step)),
        4 => (place(), any::<Index>()).prop_map(|(place, other)| Alteration::Swap(place, other)),
        4 => (place(), any::<Index>(), 1u8..40).prop_map(|(to, from, bytes)| Alteration::Copy(to, from, bytes)),
        4 => (place(), any::<Index>(), 1u8..40).prop_map(|(at, other, bytes)| Alteration::Mix(at, other, bytes)),
        1 => place().prop_map(Alteration::Truncate),
        2 => (place(), any::<Index>()).prop_map(|(place, other)| Alteration::Replace(place, other)),
        1 => place().prop_map(Alteration::Repeat),
        1 => place().prop_map(Alteration::Omit),
    ]
}

/// The number of variable length that begins at a byte, and its extent.
fn number_at(frame: &[u8], start: usize) -> (u64, Range<usize>) {
    let length = frame[start..].iter().take(9).take_while(|&&byte| byte >= 0x80).count() + 1;
    let end = (start + length).min(frame.len());
    let bits = |number: u64, (place, &byte): (usize, &u8)| number | u64::from(byte & 0x7f) << (7 * place);
    (frame[start..end].iter().enumerate().fold(0, bits), start..end)
}

fn encoded(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Alters frames from number `first` on.
fn apply(frames: &mut Frames, first: usize, alteration: &Alteration) {
    use Alteration::*;
    let (Flip(place, _)
    | Set(place, _)
    | Number(place, _)
    | Add(place, _)
    | Swap(place, _)
    | Copy(place, ..)
    | Mix(place, ..)
    | Truncate(place)
    | Replace(place, _)
    | Repeat(place)
    | Omit(place)) = alteration;
    if frames.len() == first {
        return;
    }
    let number = first + place.0.index(frames.len() - first);
    let genuine = |of: &Index| of.get(&GENUINE).get(number).filter(|frame| !frame.is_empty());
    let frame = &mut frames[number];
    if frame.is_empty() {
        return;
    }
    let at = place.1.index(frame.len());
    match alteration {
        Flip(_, bit) => frame[at] ^= 1 << bit,
        Set(_, byte) => frame[at] = *byte,
        Number(_, number) => {
            let (_, extent) = number_at(frame, at);
            frame.splice(extent, encoded(*number));
        }
        Add(_, step) => {
            let (number, extent) = number_at(frame, at);
            frame.splice(extent, encoded(number.wrapping_add_signed((*step).into())));
        }
        Swap(_, other) => {
            let other = other.index(frame.len());
            frame.swap(at, other);
        }
        Copy(_, from, bytes) | Mix(_, from, bytes) => {
            let Some(other) = genuine(from) else { return };
            let start = if matches!(alteration, Mix(..)) { at } else { from.index(other.len()) };
            let bytes = usize::from(*bytes).min(frame.len() - at).min(other.len().saturating_sub(start));
            frame[at..at + bytes].copy_from_slice(&other[start.min(other.len())..][..bytes]);
        }
        Truncate(_) => frame.truncate(at),
        Replace(_, other) => {
            if let Some(other) = genuine(other) {
                frame.clone_from(other);
            }
        }
        Repeat(_) => {
            let frame = frame.clone();
            frames.insert(number, frame);
        }
        Omit(_) => drop(frames.remove(number)),
    }
}

/// The frames of a genuine checkpoint with one to four alterations from frame `first` on.
fn altered(first: usize) -> impl Strategy<Value = (Frames, Frames)> {
    (any::<Index>(), prop::collection::vec(alteration(), 1..=4)).prop_map(move |(which, alterations)| {
        let genuine = which.get(&GENUINE).clone();
        let mut frames = genuine.clone();
        alterations.iter().for_each(|alteration| apply(&mut frames, first, alteration));
        (genuine, frames)
    })
}

fn resume(content: &[u8]) -> Result<Run, InputError> {
    Run::resume_from(&mut &content[..], "fuzz.checkpoint", None)
}

/// A state to which no run leads may have no end, such as a dependency of an operation on itself.
const ENOUGH: Duration = Duration::from_secs(20);

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The result of `work`, or the message of its panic; none if it has not ended after [`ENOUGH`]. Its thread is left then.
fn ended<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<Result<T, String>> {
    static SILENCE: Once = Once::new();
    SILENCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.get() || std::env::var_os("SHOW_PANICS").is_some() {
                report(info);
            }
        }));
    });
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || {
        IS_QUIET.set(true);
        let result = work();
        sender.send(()).ok(); // the test may have gone on
        result
    });
    let has_ended = receiver.recv_timeout(ENOUGH) != Err(RecvTimeoutError::Timeout);
    has_ended.then(|| worker.join().map_err(|panicked| message_of(panicked.as_ref())))
}

fn message_of(panicked: &(dyn Any + Send)) -> String {
    let text = panicked.downcast_ref::<String>().cloned();
    text.or_else(|| panicked.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

fn run_on(mut run: Run) {
    let is_done = (0..200).any(|_| run.advance(Duration::ZERO).done);
    run.finish(!is_done);
}

proptest! {
    #[test]
    fn altered_checkpoints_are_refused((genuine, frames) in altered(0), bit in any::<Index>()) {
        let mut content = with_seals_of(&frames, &genuine);
        if frames == genuine {
            let bit = bit.index(8 * content.len());
            content[bit / 8] ^= 1 << (bit % 8);
        }
        prop_assert!(resume(&content).is_err());
    }

    /// The header, which is a scenario, has its own fuzz target.
    #[test]
    fn forged_checkpoints_are_refused_or_run((_, frames) in altered(1)) {
        let outcome = ended(move || match resume(&sealed(&frames)) {
            Err(error) => Some(error.to_string()),
            Ok(run) => {
                run_on(run);
                None
            }
        });
        let (refusal, panic) = match outcome {
            Some(Ok(refusal)) => (refusal, None),
            Some(Err(message)) => (None, Some(message)),
            None => (None, None),
        };
        prop_assert!(!panic.iter().any(|message| message.contains("the compiler may assume")), "{panic:?}");
        let is_plain = |message: &String| message.starts_with("fuzz.checkpoint: ") && !message.contains('\n');
        prop_assert!(refusal.iter().all(is_plain), "{refusal:?}");
    }
}

#[test]
fn genuine_checkpoints_are_resumed() {
    for frames in GENUINE.iter() {
        let run = resume(&sealed(frames)).unwrap_or_else(|error| panic!("{error}"));
        run_on(run);
    }
}
