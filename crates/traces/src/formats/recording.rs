//! Recordings of programs that torusim has run, in one file: sealed frames, as checkpoints have them.
//!
//! ```text
//!   torusim recording 1
//!   {"machine": ...}                             the scenario of the run, without its workload: JSON in one line
//!   ranks, hash of the line | the calls of rank 0 | the calls of rank 1 | ...
//! ```
//!
//! A seal is verified before its frame is read, so the calls are those of a run that has completed: nothing about them
//! is checked again.

use super::Format;
use crate::call_counts::CallCounts;
use crate::error::{Place, Problem, TraceError, problem};
use crate::files::{Contents, content, only_file};
use crate::rank::{Event, Part, RankTrace};
use base::checkpoint::{FrameReader, FrameWriter, changed, fingerprint};
use mpi::{Call, Given};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;

/// The beginning of a file. The number changes with the layout of [`Stored`], and so with that of [`Call`].
const BEGINNING: &[u8] = b"torusim recording 1\n";

/// The beginning that files of all layouts have.
const KIND: &[u8] = b"torusim recording ";

const NEEDED: &str = "a recording of this version of torusim; record the program again";

pub const FORMAT: Format = Format { is_file, read, parse: Some(parse_all), place: Place::Record };

/// What a file has of a rank.
#[derive(Serialize, Deserialize)]
struct Stored {
    communicators: Vec<Given>,
    events: Vec<Event>,
    last_compute_ps: u64,
}

/// Writes the calls of ranks, whose processors have this frequency in Hz, behind the scenario of their run, a line of
/// JSON. Computation becomes time, which a replay scales as that of any trace.
///
/// # Errors
/// Errors of the output.
///
/// # Panics
/// If a rank has a graph: no program that has run has one.
pub(crate) fn write(
    output: &mut dyn Write,
    scenario: &str,
    ranks: &[Part],
    processor_hertz: f64,
) -> io::Result<()> {
    output.write_all(BEGINNING)?;
    writeln!(output, "{scenario}")?;
    let mut frames = FrameWriter::new(output);
    frames.write(&(ranks.len() as u32, fingerprint(scenario.as_bytes())))?;
    for part in ranks {
        let Part::Calls(calls) = part else { panic!("a program that has run has calls") };
        frames.write(&stored(calls, 1e12 / processor_hertz))?;
    }
    Ok(())
}

fn stored(calls: &RankTrace, cycle_ps: f64) -> Stored {
    let mut events = Vec::with_capacity(calls.events.len());
    let (mut cycles, mut compute_ps, mut before_ps) = (0, 0, 0);
    // Times are differences of their sums, so that rounding errors do not accumulate. They are rounded up, as a replay
    // rounds down.
    let mut take = |cycles: u64, compute_ps: u64| {
        let sum = compute_ps + (cycles as f64 * cycle_ps).ceil() as u64;
        sum - std::mem::replace(&mut before_ps, sum)
    };
    for Event { compute_ps: computed, call } in &calls.events {
        compute_ps += computed;
        if let Call::Compute { cycles: computed } = call {
            cycles += computed;
        } else {
            events.push(Event { compute_ps: take(cycles, compute_ps), call: call.clone() });
        }
    }
    let last_compute_ps = take(cycles, compute_ps + calls.last_compute_ps);
    Stored { communicators: calls.communicators.clone(), events, last_compute_ps }
}

fn is_file(_name: &str, beginning: &[u8]) -> bool {
    beginning.starts_with(KIND)
}

fn read(path: &Path) -> Result<Vec<Part>, TraceError> {
    let path = only_file(path, "recording", is_file)?;
    parse_all(vec![(path.clone(), content(&path)?)])
}

/// Reads the only file of a recording.
fn parse_all(files: Vec<Contents>) -> Result<Vec<Part>, TraceError> {
    let [(path, bytes)] = &files[..] else { panic!("a recording is one file") };
    parse(bytes).map_err(|problem| problem.at(path, None))
}

fn parse(bytes: &[u8]) -> Result<Vec<Part>, Problem> {
    let content = bytes.strip_prefix(BEGINNING).ok_or_else(|| problem(other_layout(bytes), NEEDED))?;
    ranks(content)
        .map_err(|cause| problem(format!("is damaged ({cause})"), "the file as it has been written"))
}

fn other_layout(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(KIND) { "is a recording of another version of torusim" } else { "is no recording" }
}

fn ranks(content: &[u8]) -> io::Result<Vec<Part>> {
    let mut lines = content.splitn(2, |&byte| byte == b'\n');
    let (scenario, mut frames) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let mut reader = FrameReader::new(&mut frames);
    let (count, hash): (u32, u64) = reader.read()?;
    if hash != fingerprint(scenario) {
        return Err(changed("its scenario has been altered"));
    }
    let parts = (0..count).map(|_| reader.read().map(of_stored)).collect::<io::Result<Vec<_>>>()?;
    reader.end()?;
    Ok(parts)
}

fn of_stored(Stored { communicators, events, last_compute_ps }: Stored) -> Part {
    let mut counts = CallCounts::new();
    events.iter().for_each(|event| *counts.entry(event.call.name()).or_default() += 1);
    Part::Calls(RankTrace { last_compute_ps, counts, ..RankTrace::of(communicators, events) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpi::{Members, Requests};

    /// A rank that computes before, between and after its calls.
    fn calls() -> RankTrace {
        let pair = Given::from(Members::Stride { first: 0, stride: 2, count: 2 });
        let calls = [
            Call::Compute { cycles: 7 },
            Call::SendNonBlocking { target: 1, tag: 3, bytes: 80, request: 5 },
            Call::Compute { cycles: 1 },
            Call::Compute { cycles: 2 },
            Call::Test { requests: Requests::one(5) },
            Call::Compute { cycles: 700 },
        ];
        RankTrace::of(vec![pair], calls.map(|call| Event { compute_ps: 0, call }).into())
    }

    #[test]
    fn a_recording_is_read_as_it_was_written_with_computation_as_time() {
        let mut file = Vec::new();
        write(&mut file, "{}", &[Part::Calls(calls())], 700e6).unwrap();
        let [Part::Calls(read)] = &parse(&file).unwrap()[..] else { panic!("it has one rank") };
        let times: Vec<u64> = read.events.iter().map(|event| event.compute_ps).collect();
        assert_eq!(times, [10_000, 4_286], "7 and 10 cycles of 10/7 ns");
        assert_eq!((read.last_compute_ps, read.compute_ps()), (1_000_000, 1_014_286));
        assert_eq!(read.communicators, calls().communicators);
        assert_eq!(read.counts, CallCounts::from([("MPI_Isend", 1), ("MPI_Test", 1)]));
    }

    #[test]
    fn the_layout_of_files_is_that_of_their_number() {
        let mut file = Vec::new();
        write(&mut file, "{}", &[Part::Calls(calls())], 700e6).unwrap();
        let hash = base::checkpoint::fingerprint(&file);
        assert_eq!(
            hash, 18_395_617_600_647_490_478,
            "if calls have another layout, `BEGINNING` has another number"
        );
    }
}
