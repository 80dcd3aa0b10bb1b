//! Reader of GOAL schedules in text form (Hoefler, Siebert and Lumsdaine: Group Operation Assembly Language, 2009), as
//! LogGOPSim reads them: one file for all ranks.
//!
//! ```text
//!   num_ranks 2
//!   rank 0 {
//!   l1: calc 500                      500 ns
//!   l2: send 8b to 1 tag 7 cpu 0 nic 0
//!   l2 requires l1                    l2 begins when l1 has ended; irequires: when it has begun
//!   }
//!   rank 1 { ...
//! ```

use super::Format;
use crate::call_counts::CallCounts;
use crate::error::TraceError;
use crate::error::{Place, Problem, problem, shown};
use crate::files::{content, only_file};
use crate::graph::{Edge, RankGraph, Until, Work, circle};
use crate::rank::{MAX_TRACE_PS, Part};
use crate::receives::Receives;
use crate::recorder::{length, send_to};
use mpi::{Mode, WORLD};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// More ranks than any machine has nodes.
const MAX_RANKS: u64 = 1 << 24;

/// Picoseconds of a unit of `calc`.
const PS_PER_CALC: u64 = 1000;

pub const FORMAT: Format = Format { is_file, read, parse: Some(parse_all), place: Place::Line };

fn is_file(_name: &str, beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    let mut words = Tokens { rest: &text, is_in_comment: false }.first_words();
    words.next().is_some_and(|word| word == "num_ranks")
}

/// Reads the schedules of all ranks.
fn read(path: &Path) -> Result<Vec<Part>, TraceError> {
    let path = only_file(path, "goal", is_file)?;
    let bytes = content(&path)?;
    parse(&path, &bytes)
}

/// Reads the only file of a trace.
fn parse_all(files: Vec<(PathBuf, Vec<u8>)>) -> Result<Vec<Part>, TraceError> {
    match &files[..] {
        [(path, bytes)] => parse(path, bytes),
        _ => panic!("a schedule is one file"),
    }
}

/// Reads a text; the path is for messages.
fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<Part>, TraceError> {
    let text = std::str::from_utf8(bytes).map_err(|cause| {
        let line = bytes[..cause.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        problem("bytes that are not text", "a line of text").at(path, Some(Place::Line(line)))
    })?;
    let mut reader = Reader { file: path, line: 0, ranks: None, parts: Vec::new(), schedule: None };
    let mut is_in_comment = false;
    for line in text.lines() {
        reader.line += 1;
        let mut tokens = Tokens { rest: line, is_in_comment };
        let taken = reader.take_line(&mut tokens);
        taken.map_err(|problem| problem.at(path, Some(Place::Line(reader.line))))?;
        is_in_comment = tokens.is_in_comment;
    }
    let last = Place::Line(reader.line);
    reader.finish().map_err(|problem| problem.at(path, Some(last)))
}

/// The words of a text line: names, numbers, and single other characters; without comments.
struct Tokens<'a> {
    rest: &'a str,
    is_in_comment: bool,
}

impl<'a> Tokens<'a> {
    /// All words.
    fn first_words(mut self) -> impl Iterator<Item = &'a str> {
        std::iter::from_fn(move || self.next())
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            if self.is_in_comment {
                match self.rest.find("*/") {
                    None => self.rest = "",
                    Some(end) => {
                        self.rest = &self.rest[end + 2..];
                        self.is_in_comment = false;
                    }
                }
            }
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix("/*") {
                (self.rest, self.is_in_comment) = (rest, true);
                continue;
            }
            if let Some(rest) = self.rest.strip_prefix("//") {
                // The rest of a piece that is read at once may have more text lines.
                self.rest = rest.find('\n').map_or("", |end| &rest[end..]);
                continue;
            }
            break;
        }
        let first = *self.rest.as_bytes().first()?;
        let is_part = |byte: &u8| match first {
            b'0'..=b'9' | b'-' => byte.is_ascii_digit(),
            _ => byte.is_ascii_alphanumeric() || *byte == b'_',
        };
        let further = self.rest.as_bytes()[1..].iter().take_while(|byte| is_part(byte)).count();
        let is_word = first.is_ascii_alphanumeric() || first == b'-' || first == b'_';
        let end = if is_word { 1 + further } else { self.rest.chars().next()?.len_utf8() };
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(word)
    }
}

struct Reader<'a> {
    file: &'a Path,
    line: u64,
    ranks: Option<u32>,
    parts: Vec<Option<Part>>,
    schedule: Option<Schedule<'a>>,
}

/// The schedule of the rank that is being read.
struct Schedule<'a> {
    rank: u32,
    /// The text line that is being read.
    line: u64,
    works: Vec<Work>,
    labels: HashMap<&'a str, u32>,
    names: Vec<Option<&'a str>>,
    edges: Vec<Edge>,
    counts: CallCounts,
    compute_ps: u64,
    receives: Receives,
}

impl<'a> Reader<'a> {
    fn take_line(&mut self, tokens: &mut Tokens<'a>) -> Result<(), Problem> {
        let Some(word) = tokens.next() else { return Ok(()) };
        match (&mut self.schedule, word) {
            (None, "num_ranks") => {
                self.set_ranks(number(tokens.next(), "the number of ranks", 1, MAX_RANKS)?)?
            }
            (None, "rank") => {
                self.begin(number(tokens.next(), "a rank", 0, MAX_RANKS)?)?;
                expect(tokens, "{")?;
                return self.take_line(tokens);
            }
            (None, word) => {
                return Err(problem(format!("`{}`", shown(word)), "`num_ranks`, then `rank 0 {` and so on"));
            }
            (Some(_), "}") => {
                self.end()?;
                return self.take_line(tokens);
            }
            (Some(schedule), word) => {
                schedule.line = self.line;
                schedule.take(word, tokens, self.ranks.unwrap_or(0))?;
            }
        }
        match tokens.next() {
            None => Ok(()),
            Some("}") if self.schedule.is_some() => self.end(),
            Some(word) => {
                Err(problem(format!("`{}` at the end of the line", shown(word)), "one operation in a line"))
            }
        }
    }

    fn set_ranks(&mut self, ranks: u64) -> Result<(), Problem> {
        if self.ranks.is_some() {
            return Err(problem("a second `num_ranks`", "the number of ranks once"));
        }
        self.ranks = Some(ranks as u32);
        Ok(())
    }

    fn begin(&mut self, rank: u64) -> Result<(), Problem> {
        let Some(ranks) = self.ranks else {
            return Err(problem("a rank before the number of ranks", "`num_ranks` comes first"));
        };
        if rank >= ranks.into() {
            return Err(problem(
                format!("rank {rank}"),
                format!("a rank below {ranks}, as `num_ranks` says"),
            ));
        }
        let place = rank as usize;
        if self.parts.len() <= place {
            self.parts.resize(place + 1, None);
        }
        if self.parts[place].is_some() {
            return Err(problem(format!("a second schedule of rank {rank}"), "one for each rank"));
        }
        self.schedule = Some(Schedule::new(rank as u32));
        Ok(())
    }

    fn end(&mut self) -> Result<(), Problem> {
        if let Some(schedule) = self.schedule.take() {
            let rank = schedule.rank as usize;
            self.parts[rank] = Some(Part::Graph(schedule.finish(self.file)?));
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<Part>, Problem> {
        if let Some(Schedule { rank, .. }) = self.schedule {
            let cut = format!("the file ends in the schedule of rank {rank}");
            return Err(problem(cut, "a complete schedule, with `}` at its end; this one is truncated"));
        }
        let Some(ranks) = self.ranks else {
            return Err(problem("no `num_ranks`", "the number of ranks comes first"));
        };
        let read = self.parts.iter().flatten().count();
        if read < ranks as usize {
            let missing = self.parts.iter().position(Option::is_none).unwrap_or(self.parts.len());
            return Err(problem(
                format!("the schedule of rank {missing} is missing"),
                format!("schedules of all {ranks} ranks; the file may be truncated"),
            ));
        }
        Ok(self.parts.into_iter().flatten().collect())
    }
}

impl<'a> Schedule<'a> {
    fn new(rank: u32) -> Self {
        Schedule {
            rank,
            line: 0,
            works: Vec::new(),
            labels: HashMap::new(),
            names: Vec::new(),
            edges: Vec::new(),
            counts: CallCounts::new(),
            compute_ps: 0,
            receives: Receives::default(),
        }
    }

    fn finish(self, file: &Path) -> Result<RankGraph, Problem> {
        let names = self.names;
        let graph = RankGraph::new(self.works, &self.edges);
        let mut graph = graph.map_err(|work| {
            let name =
                names[work as usize].map_or(format!("operation {work}"), |name| format!("`{}`", shown(name)));
            circle(&format!("{name} of rank {}", self.rank))
        })?;
        (graph.counts, graph.receives, graph.file) = (self.counts, self.receives, file.to_path_buf());
        Ok(graph)
    }

    /// A text line: an operation, possibly with a label, or a requirement of one.
    fn take(&mut self, word: &'a str, tokens: &mut Tokens<'a>, ranks: u32) -> Result<(), Problem> {
        if matches!(word, "send" | "recv" | "calc") {
            return self.operation(None, word, tokens, ranks);
        }
        if !word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Err(problem(
                format!("`{}`", shown(word)),
                "`send`, `recv`, `calc`, a label, or `}` at the end of the schedule",
            ));
        }
        match tokens.next() {
            Some(":") => {
                let operation = tokens.next().unwrap_or_default();
                self.operation(Some(word), operation, tokens, ranks)
            }
            Some("requires") => self.depend(word, tokens.next(), Until::Ended),
            Some("irequires") => self.depend(word, tokens.next(), Until::Begun),
            other => Err(problem(
                format!("`{}` after `{}`", shown(other.unwrap_or_default()), shown(word)),
                "`:`, `requires` or `irequires`",
            )),
        }
    }

    fn depend(&mut self, after: &str, before: Option<&str>, until: Until) -> Result<(), Problem> {
        let find = |label: &str| {
            let found = self.labels.get(label).copied();
            found.ok_or_else(|| {
                problem(format!("there is no operation `{}`", shown(label)), "a label from a line before")
            })
        };
        let edge = (find(before.unwrap_or_default())?, find(after)?, until);
        self.edges.push(edge);
        Ok(())
    }

    fn operation(
        &mut self,
        label: Option<&'a str>,
        word: &str,
        tokens: &mut Tokens<'a>,
        ranks: u32,
    ) -> Result<(), Problem> {
        let (name, work) = match word {
            "send" => ("send", self.message(true, tokens, ranks)?),
            "recv" => ("recv", self.message(false, tokens, ranks)?),
            "calc" => ("calc", self.calc(tokens)?),
            word => return Err(problem(format!("`{}`", shown(word)), "`send`, `recv` or `calc`")),
        };
        let number = self.works.len() as u32;
        if let Some(label) = label
            && self.labels.insert(label, number).is_some()
        {
            return Err(problem(format!("a second operation `{}`", shown(label)), "labels that differ"));
        }
        *self.counts.entry(name).or_default() += 1;
        self.names.push(label);
        self.works.push(work);
        Ok(())
    }

    fn calc(&mut self, tokens: &mut Tokens<'a>) -> Result<Work, Problem> {
        let time = number(tokens.next(), "a time in nanoseconds", 0, MAX_TRACE_PS / PS_PER_CALC)?;
        let compute_ps = time * PS_PER_CALC;
        self.compute_ps = self.compute_ps.saturating_add(compute_ps);
        if self.compute_ps > MAX_TRACE_PS {
            return Err(problem("more than 53 days of computation", "a shorter schedule"));
        }
        options(tokens, &["cpu"])?;
        Ok(Work::Compute(compute_ps))
    }

    fn message(&mut self, sends: bool, tokens: &mut Tokens<'a>, ranks: u32) -> Result<Work, Problem> {
        let bytes = length(number(tokens.next(), "a length in bytes", 0, u64::MAX)?, 1)?;
        expect(tokens, "b")?;
        expect(tokens, if sends { "to" } else { "from" })?;
        let last = u64::from(ranks) - 1;
        let any = |tokens: &mut Tokens<'a>, what, high| {
            let mut ahead = Tokens { ..*tokens };
            match ahead.next() {
                Some("-1") if !sends => {
                    *tokens = ahead;
                    Ok(None)
                }
                _ => number(tokens.next(), what, 0, high).map(|number| Some(number as u32)),
            }
        };
        let peer = any(tokens, "a rank", last)?;
        let mut ahead = Tokens { ..*tokens };
        let mut tag = Some(0);
        if ahead.next() == Some("tag") {
            *tokens = ahead;
            tag = any(tokens, "a tag", u32::MAX.into())?;
        }
        options(tokens, &["cpu", "nic"])?;
        Ok(match (sends, peer) {
            (true, peer) => {
                Work::Send(send_to(WORLD, peer.unwrap_or(0), tag.unwrap_or(0), bytes, Mode::Standard))
            }
            (false, peer) => Work::Receive(self.receives.add(self.line, (WORLD, peer, tag), bytes)),
        })
    }
}

/// Options with a number that have no effect, as a rank has one core and shares its node's links.
fn options(tokens: &mut Tokens<'_>, names: &[&str]) -> Result<(), Problem> {
    for name in names {
        let mut ahead = Tokens { ..*tokens };
        if ahead.next() == Some(name) {
            number(ahead.next(), name, 0, u8::MAX.into())?;
            *tokens = ahead;
        }
    }
    Ok(())
}

fn expect(tokens: &mut Tokens<'_>, expected: &str) -> Result<(), Problem> {
    match tokens.next() {
        Some(word) if word == expected => Ok(()),
        word => Err(problem(format!("`{}`", shown(word.unwrap_or_default())), format!("`{expected}`"))),
    }
}

fn number(word: Option<&str>, what: &str, low: u64, high: u64) -> Result<u64, Problem> {
    let word = word.unwrap_or_default();
    let number = word.parse().ok().filter(|number| (low..=high).contains(number));
    number
        .ok_or_else(|| problem(format!("{what} `{}`", shown(word)), format!("a number from {low} to {high}")))
}
