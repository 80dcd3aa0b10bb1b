//! Reader of MLCommons Chakra execution traces (Sridharan et al.: Chakra, 2023; schema `et_def.proto`, 0.0.4): files
//! `NAME.0.et`, `NAME.1.et` and so on, one for each NPU, of messages of Protocol Buffers with their lengths before them:
//! one `GlobalMetadata`, then a `Node` for each operation.

use super::Format;
use crate::call_counts::CallCounts;
use crate::error::TraceError;
use crate::error::{Place, Problem, problem, shown};
use crate::files::{content, numbered_files};
use crate::graph::{Edge, RankGraph, Until, Work, circle};
use crate::rank::{MAX_TRACE_PS, Part};
use crate::receives::Receives;
use crate::recorder::{length, send_to};
use mpi::{Collective, Members, Mode, WORLD};
use prost::Message;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

const PS_PER_MICROSECOND: u64 = 1_000_000;

/// More process groups than there are ids of communicators.
const MAX_GROUPS: usize = 1 << 19;

#[derive(Clone, PartialEq, Message)]
struct GlobalMetadata {
    #[prost(string, tag = "1")]
    version: String,
    #[prost(message, repeated, tag = "2")]
    attr: Vec<Attribute>,
}

#[derive(Clone, PartialEq, Message)]
struct Attribute {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(oneof = "Value", tags = "3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 28, 29, 30, 31")]
    value: Option<Value>,
}

#[derive(Clone, PartialEq, Message)]
struct Booleans {
    #[prost(bool, repeated, tag = "1")]
    values: Vec<bool>,
}

#[derive(Clone, PartialEq, Message)]
struct Texts {
    #[prost(string, repeated, tag = "1")]
    values: Vec<String>,
}

/// The values of attributes. The writers use integers of any type. No required attribute is a list of numbers.
#[derive(Clone, PartialEq, prost::Oneof)]
enum Value {
    #[prost(double, tag = "3")]
    Double(f64),
    #[prost(float, tag = "5")]
    Float(f32),
    #[prost(int32, tag = "7")]
    Int32(i32),
    #[prost(int64, tag = "9")]
    Int64(i64),
    #[prost(uint32, tag = "11")]
    Uint32(u32),
    #[prost(uint64, tag = "13")]
    Uint64(u64),
    #[prost(sint32, tag = "15")]
    Sint32(i32),
    #[prost(sint64, tag = "17")]
    Sint64(i64),
    #[prost(fixed32, tag = "19")]
    Fixed32(u32),
    #[prost(fixed64, tag = "21")]
    Fixed64(u64),
    #[prost(sfixed32, tag = "23")]
    Sfixed32(i32),
    #[prost(sfixed64, tag = "25")]
    Sfixed64(i64),
    #[prost(bool, tag = "27")]
    Boolean(bool),
    #[prost(message, tag = "28")]
    Booleans(Booleans),
    #[prost(string, tag = "29")]
    Text(String),
    #[prost(message, tag = "30")]
    Texts(Texts),
    #[prost(bytes = "vec", tag = "31")]
    Bytes(Vec<u8>),
}

impl Value {
    /// A whole number.
    fn integer(&self) -> Option<i128> {
        Some(match *self {
            Value::Int32(value) | Value::Sint32(value) | Value::Sfixed32(value) => value.into(),
            Value::Int64(value) | Value::Sint64(value) | Value::Sfixed64(value) => value.into(),
            Value::Uint32(value) | Value::Fixed32(value) => value.into(),
            Value::Uint64(value) | Value::Fixed64(value) => value.into(),
            Value::Double(_) | Value::Float(_) | Value::Boolean(_) | Value::Booleans(_) => return None,
            Value::Text(_) | Value::Texts(_) | Value::Bytes(_) => return None,
        })
    }
}

#[derive(Clone, PartialEq, Message)]
struct Node {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(string, tag = "2")]
    name: String,
    #[prost(int32, tag = "3")]
    kind: i32,
    #[prost(uint64, repeated, tag = "4")]
    ctrl_deps: Vec<u64>,
    #[prost(uint64, repeated, tag = "5")]
    data_deps: Vec<u64>,
    #[prost(uint64, tag = "7")]
    duration_micros: u64,
    #[prost(message, repeated, tag = "10")]
    attr: Vec<Attribute>,
}

/// `NodeType`, by number.
const KINDS: [&str; 8] = [
    "INVALID_NODE",
    "METADATA_NODE",
    "MEM_LOAD_NODE",
    "MEM_STORE_NODE",
    "COMP_NODE",
    "COMM_SEND_NODE",
    "COMM_RECV_NODE",
    "COMM_COLL_NODE",
];

pub const FORMAT: Format =
    Format { is_file, read, parse: Some(|files| parse(files.into_iter().map(Ok))), place: Place::Byte };

fn is_file(name: &str, beginning: &[u8]) -> bool {
    let mut messages = Messages { bytes: beginning, at: 0 };
    let Some(Ok((_, metadata))) = messages.next() else { return false };
    let Ok(metadata) = GlobalMetadata::decode(metadata) else { return false };
    let is_node = |node: Node| (1..KINDS.len() as i32).contains(&node.kind);
    match messages.next() {
        Some(Ok((_, node))) => Node::decode(node).is_ok_and(is_node),
        // An NPU without operations has only metadata, in too few bytes, so that the name has to decide.
        None => name.ends_with(".et") && metadata.version.starts_with(|first: char| first.is_ascii_digit()),
        Some(Err(_)) => false,
    }
}

/// The messages of a file, each with its place.
struct Messages<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Messages<'a> {
    type Item = Result<(u64, &'a [u8]), (u64, Problem)>;

    fn next(&mut self) -> Option<Self::Item> {
        let begin = self.at;
        let mut rest = self.bytes.get(begin..).filter(|rest| !rest.is_empty())?;
        self.at = self.bytes.len();
        let length = prost::decode_length_delimiter(&mut rest).ok().filter(|&length| length <= rest.len());
        Some(match length {
            Some(length) => {
                let content = self.bytes.len() - rest.len();
                self.at = content + length;
                Ok((content as u64, &rest[..length]))
            }
            None => {
                let cut = problem("the file ends within a node", "a complete trace; this one is truncated");
                Err((begin as u64, cut))
            }
        })
    }
}

/// Reads the traces of all NPUs.
fn read(path: &Path) -> Result<Vec<Part>, TraceError> {
    let files = numbered_files(path, ".et", "files NAME.0.et, NAME.1.et and so on")?;
    parse(files.into_iter().map(|file| content(&file).map(|bytes| (file, bytes))))
}

/// Reads the content of a file for each NPU; the paths are for messages.
fn parse(
    files: impl ExactSizeIterator<Item = Result<(PathBuf, Vec<u8>), TraceError>>,
) -> Result<Vec<Part>, TraceError> {
    let ranks = files.len() as u32;
    let mut read = Vec::new();
    for (rank, file) in (0..).zip(files) {
        let (file, bytes) = file?;
        read.push(Npu::read(file, &bytes, rank, ranks)?);
    }
    let groups = Groups::of(&read)?;
    (0..).zip(read).map(|(rank, npu)| npu.finish(rank, &groups)).collect()
}

/// A collective that a node takes part in.
struct CollectivePart {
    place: u64,
    work: u32,
    group: Option<String>,
    kind: u64,
    bytes: u64,
}

/// The nodes of an NPU.
struct Npu {
    file: PathBuf,
    works: Vec<Work>,
    names: Vec<(u64, u64)>,
    edges: Vec<Edge>,
    collectives: Vec<CollectivePart>,
    counts: CallCounts,
    call_ps: u64,
    receives: Receives,
}

impl Npu {
    fn read(file: PathBuf, bytes: &[u8], rank: u32, ranks: u32) -> Result<Self, TraceError> {
        let at = |(place, problem): (u64, Problem)| problem.at(&file, Some(Place::Byte(place)));
        let undecoded = |place: u64, what: &str, cause: prost::DecodeError| {
            at((
                place,
                problem(
                    format!("{what} that cannot be decoded ({cause})"),
                    "Protocol Buffers of Chakra 0.0.4",
                ),
            ))
        };
        let mut messages = Messages { bytes, at: 0 };
        let Some(metadata) = messages.next() else {
            return Err(problem("the file is empty", "the trace of an NPU").at(&file, None));
        };
        let (place, metadata) = metadata.map_err(at)?;
        GlobalMetadata::decode(metadata).map_err(|cause| undecoded(place, "metadata", cause))?;
        let mut reader = NodeReader::new(rank, ranks);
        for message in messages {
            let (place, bytes) = message.map_err(at)?;
            let node = Node::decode(bytes).map_err(|cause| undecoded(place, "a node", cause))?;
            reader.take(&node, place).map_err(|problem| at((place, problem)))?;
        }
        let edges = reader.edges().map_err(at)?;
        let NodeReader { works, names, collectives, counts, call_ps, receives, .. } = reader;
        Ok(Npu { file, works, names, edges, collectives, counts, call_ps, receives })
    }

    fn finish(mut self, rank: u32, groups: &Groups) -> Result<Part, TraceError> {
        let at = |place: u64, problem: Problem| problem.at(&self.file, Some(Place::Byte(place)));
        let own: Vec<&Option<String>> = groups.of_rank(rank);
        let mut last = HashMap::new();
        for part in &self.collectives {
            let members = &groups.by_name[&part.group];
            let place = members.iter().position(|&member| member == rank).unwrap_or(0) as u32;
            let collective =
                collective(part, place, members.len() as u32).map_err(|problem| at(part.place, problem))?;
            let communicator = match &part.group {
                None => WORLD,
                group => own.iter().position(|own| *own == group).unwrap_or(0) as u32 + 1,
            };
            self.works[part.work as usize] = Work::Collect { collective, communicator };
            // The ranks of a group begin its collectives in one order, which is that of the nodes.
            if let Some(before) = last.insert(&part.group, part.work) {
                self.edges.push((before, part.work, Until::Begun));
            }
        }
        let graph = RankGraph::new(self.works, &self.edges);
        let mut graph = graph.map_err(|work| {
            let (id, place) = self.names[work as usize];
            circle(&format!("node {id}")).at(&self.file, Some(Place::Byte(place)))
        })?;
        (graph.counts, graph.call_ps, graph.receives) = (self.counts, self.call_ps, self.receives);
        graph.file = self.file;
        graph.groups = own.into_iter().map(|name| groups.communicator(name)).collect();
        Ok(Part::Graph(graph))
    }
}

/// The process groups: the NPUs that take part in the collectives of a name, in order of ranks.
struct Groups {
    by_name: BTreeMap<Option<String>, Vec<u32>>,
}

impl Groups {
    fn of(npus: &[Npu]) -> Result<Self, TraceError> {
        let mut by_name = BTreeMap::<Option<String>, Vec<u32>>::new();
        for (rank, npu) in (0..).zip(npus) {
            for part in &npu.collectives {
                let members = by_name.entry(part.group.clone()).or_default();
                if members.last() != Some(&rank) {
                    members.push(rank);
                }
            }
        }
        // Collectives without a group are those of all NPUs.
        by_name.entry(None).and_modify(|members| *members = (0..npus.len() as u32).collect());
        let groups = Groups { by_name };
        groups.compare(npus)?;
        Ok(groups)
    }

    /// Checks that all members of a group take part in the same collectives.
    fn compare(&self, npus: &[Npu]) -> Result<(), TraceError> {
        for (name, members) in &self.by_name {
            let of = |rank: u32| npus[rank as usize].collectives.iter().filter(|part| part.group == *name);
            let first = members[0];
            for &rank in &members[1..] {
                let file = &npus[rank as usize].file;
                let place = |part: Option<&CollectivePart>| part.map(|part| Place::Byte(part.place));
                let (mut own, mut other) = (of(rank), of(first));
                for number in 1.. {
                    let (own, other) = (own.next(), other.next());
                    let what = |part: Option<&CollectivePart>| part.map(|part| (part.kind, part.bytes));
                    if what(own) != what(other) {
                        let group = name.as_ref().map_or(String::from("all NPUs"), |name| {
                            format!("process group `{}`", shown(name))
                        });
                        let found = format!("collective {number} of NPU {rank} in {group} is {}", named(own));
                        return Err(problem(found, format!("{}, as for NPU {first}", named(other)))
                            .at(file, place(own)));
                    }
                    if own.is_none() {
                        break;
                    }
                }
            }
        }
        if self.by_name.len() > MAX_GROUPS {
            let found = format!("{} process groups", self.by_name.len());
            return Err(problem(found, format!("at most {MAX_GROUPS}")).at(&npus[0].file, None));
        }
        Ok(())
    }

    /// The names of groups that contain a rank.
    fn of_rank(&self, rank: u32) -> Vec<&Option<String>> {
        let named = self.by_name.iter().filter(|(name, members)| name.is_some() && members.contains(&rank));
        named.map(|(name, _)| name).collect()
    }

    fn communicator(&self, name: &Option<String>) -> (Members, u32) {
        let id = self.by_name.keys().filter(|name| name.is_some()).position(|own| own == name);
        (Members::list(self.by_name[name].iter().copied()), id.map_or(0, |id| id as u32) + 1)
    }
}

fn named(part: Option<&CollectivePart>) -> String {
    part.map_or(String::from("none"), |part| {
        let name = COLLECTIVES.get(part.kind as usize).map_or("unknown", |(name, _)| name);
        format!("{name} of {} bytes", part.bytes)
    })
}

/// `CollectiveCommType`, by number, with the collective of a rank's bytes and its block of them.
type Make = fn(u64, u64) -> Collective;

const COLLECTIVES: [(&str, Make); 10] = [
    ("ALL_REDUCE", |bytes, _| Collective::Allreduce { bytes }),
    ("REDUCE", |bytes, _| Collective::Reduce { root: 0, bytes }),
    ("ALL_GATHER", |_, bytes| Collective::Allgather { bytes }),
    ("GATHER", |_, bytes| Collective::Gather { root: 0, bytes }),
    ("SCATTER", |_, bytes| Collective::Scatter { root: 0, bytes }),
    ("BROADCAST", |bytes, _| Collective::Broadcast { root: 0, bytes }),
    ("ALL_TO_ALL", |_, bytes| Collective::Alltoall { bytes }),
    ("REDUCE_SCATTER", |_, bytes| Collective::ReduceScatterBlock { bytes }),
    ("REDUCE_SCATTER_BLOCK", |_, bytes| Collective::ReduceScatterBlock { bytes }),
    ("BARRIER", |_, _| Collective::Barrier),
];

fn collective(part: &CollectivePart, rank: u32, size: u32) -> Result<Collective, Problem> {
    let Some((name, make)) = COLLECTIVES.get(part.kind as usize) else {
        return Err(problem(
            format!("comm_type {}", part.kind),
            "a collective from 0, ALL_REDUCE, to 9, BARRIER",
        ));
    };
    let collective = make(part.bytes, part.bytes.div_ceil(size.max(1).into()));
    match collective.fault_of(rank, size) {
        Some(fault) => Err(problem(format!("{name}: {fault}"), "a collective that suits its process group")),
        None => Ok(collective),
    }
}

/// Reads the nodes of an NPU.
struct NodeReader {
    rank: u32,
    ranks: u32,
    works: Vec<Work>,
    /// Id and place of each node.
    names: Vec<(u64, u64)>,
    by_id: HashMap<u64, u32>,
    /// The dependencies of each node, by node, with their end in `dependencies`.
    dependencies: Vec<u64>,
    ends: Vec<usize>,
    collectives: Vec<CollectivePart>,
    counts: CallCounts,
    compute_ps: u64,
    /// Durations of communication.
    call_ps: u64,
    receives: Receives,
}

impl NodeReader {
    fn new(rank: u32, ranks: u32) -> Self {
        NodeReader {
            rank,
            ranks,
            works: Vec::new(),
            names: Vec::new(),
            by_id: HashMap::new(),
            dependencies: Vec::new(),
            ends: Vec::new(),
            collectives: Vec::new(),
            counts: CallCounts::new(),
            compute_ps: 0,
            call_ps: 0,
            receives: Receives::default(),
        }
    }

    fn take(&mut self, node: &Node, place: u64) -> Result<(), Problem> {
        let number = self.works.len() as u32;
        if self.by_id.insert(node.id, number).is_some() {
            return Err(problem(format!("a second node {}", node.id), "ids that differ"));
        }
        let kind = usize::try_from(node.kind).ok().filter(|kind| (1..KINDS.len()).contains(kind));
        let Some(kind) = kind else {
            return Err(problem(format!("node {} of type {}", node.id, node.kind), "a type from 1 to 7"));
        };
        let kind = if is_on_core(node, KINDS[kind]) { "COMP_NODE" } else { KINDS[kind] };
        let duration = self.duration(node)?;
        match kind.starts_with("COMM_") {
            true => self.call_ps += duration,
            false => self.compute_ps += duration,
        }
        let work = match kind {
            "COMM_SEND_NODE" => self.message(node, place, true)?,
            "COMM_RECV_NODE" => self.message(node, place, false)?,
            "COMM_COLL_NODE" => {
                self.collectives.push(part(node, place, number)?);
                Work::Compute(0)
            }
            _ => Work::Compute(duration),
        };
        self.works.push(work);
        self.names.push((node.id, place));
        self.dependencies.extend(node.ctrl_deps.iter().chain(&node.data_deps));
        self.ends.push(self.dependencies.len());
        *self.counts.entry(kind).or_default() += 1;
        Ok(())
    }

    /// The duration of a node, in picoseconds.
    fn duration(&self, node: &Node) -> Result<u64, Problem> {
        let duration = node.duration_micros.checked_mul(PS_PER_MICROSECOND);
        let before = self.compute_ps + self.call_ps;
        let is_short = |duration: &u64| before.checked_add(*duration).is_some_and(|sum| sum <= MAX_TRACE_PS);
        duration.filter(is_short).ok_or_else(|| problem("durations of more than 53 days", "a shorter trace"))
    }

    fn message(&mut self, node: &Node, place: u64, sends: bool) -> Result<Work, Problem> {
        let (own, other) = if sends { ("comm_src", "comm_dst") } else { ("comm_dst", "comm_src") };
        let peer = needed(node, other)?;
        if peer >= self.ranks.into() {
            return Err(problem(
                format!("{other} {peer}"),
                format!("an NPU below {}, as there are files", self.ranks),
            ));
        }
        if integer(node, own)?.is_some_and(|rank| rank != u64::from(self.rank)) {
            return Err(problem(format!("{own} is not {}", self.rank), "the NPU that the file's name says"));
        }
        let tag = integer(node, "comm_tag")?.unwrap_or(0);
        let tag = u32::try_from(tag).map_err(|_| problem(format!("comm_tag {tag}"), "a tag of 32 bits"))?;
        let (peer, bytes) = (peer as u32, length(needed(node, "comm_size")?, 1)?);
        Ok(match sends {
            true => Work::Send(send_to(WORLD, peer, tag, bytes, Mode::Standard)),
            false => Work::Receive(self.receives.add(place, (WORLD, Some(peer), Some(tag)), bytes)),
        })
    }

    /// The dependencies, which may be on nodes that come later in the file.
    fn edges(&self) -> Result<Vec<Edge>, (u64, Problem)> {
        let mut edges = Vec::with_capacity(self.dependencies.len());
        let mut begin = 0;
        for (work, &end) in (0..).zip(&self.ends) {
            for before in &self.dependencies[begin..end] {
                let Some(&before) = self.by_id.get(before) else {
                    let (id, place) = self.names[work as usize];
                    let found = format!("node {id} depends on node {before}, which does not exist");
                    return Err((place, problem(found, "a complete trace; this one may be truncated")));
                };
                edges.push((before, work, Until::Ended));
            }
            begin = end;
        }
        Ok(edges)
    }
}

fn part(node: &Node, place: u64, work: u32) -> Result<CollectivePart, Problem> {
    let group = group(node)?;
    let kind = needed(node, "comm_type")?;
    let is_barrier = COLLECTIVES.get(kind as usize).is_some_and(|(name, _)| *name == "BARRIER");
    let bytes = if is_barrier { 0 } else { needed(node, "comm_size")? };
    Ok(CollectivePart { place, work, group, kind, bytes })
}

/// The attributes that name the process group of a collective. The first is that of PyTorch's converter and of
/// ASTRA-sim, the second that of older generators, whose groups are others.
const GROUPS: [&str; 2] = ["pg_name", "comm_group"];

/// The process group of a collective; none if all NPUs take part in it.
fn group(node: &Node) -> Result<Option<String>, Problem> {
    for name in GROUPS {
        let Some(attribute) = find(node, name) else { continue };
        let group = match &attribute.value {
            Some(Value::Text(group)) => group.clone(),
            value => {
                let number = value.as_ref().and_then(Value::integer);
                number.ok_or_else(|| unread(node, name, "a text or a whole number"))?.to_string()
            }
        };
        match (name, group.as_str()) {
            // No group, and the one that ASTRA-sim has for all (`Workload::extract_comm_group`).
            (_, "") | ("pg_name", "0") => {}
            ("pg_name", _) => return Ok(Some(group)),
            _ => return Ok(Some(format!("{name} {group}"))),
        }
    }
    match find(node, "involved_dim").map(|attribute| &attribute.value) {
        None => Ok(None),
        Some(Some(Value::Booleans(involved))) if involved.values.iter().all(|&involved| involved) => Ok(None),
        // The dimensions are those of another simulator's network file.
        Some(Some(Value::Booleans(_))) => Err(problem(
            format!("node {} has an involved_dim with a false", node.id),
            "a process group (pg_name), as the trace does not say which NPUs are along a dimension",
        )),
        Some(_) => Err(unread(node, "involved_dim", "a list of booleans")),
    }
}

fn unread(node: &Node, attribute: &str, expected: &str) -> Problem {
    problem(format!("{attribute} of node {} (`{}`) has another type", node.id, shown(&node.name)), expected)
}

fn find<'a>(node: &'a Node, name: &str) -> Option<&'a Attribute> {
    node.attr.iter().find(|attribute| attribute.name == name)
}

/// An attribute that is a count or a number of something.
fn integer(node: &Node, name: &str) -> Result<Option<u64>, Problem> {
    let Some(attribute) = find(node, name) else { return Ok(None) };
    let number = attribute.value.as_ref().and_then(Value::integer);
    match number.and_then(|number| u64::try_from(number).ok()) {
        Some(number) => Ok(Some(number)),
        None => Err(problem(format!("{name} of node {} is no count", node.id), "a whole number from 0 on")),
    }
}

/// Whether a node of communication is only the processor's side of one. PyTorch's converter writes such nodes: they
/// only compute, and lack attributes that their type requires.
fn is_on_core(node: &Node, kind: &str) -> bool {
    let needed = match kind {
        "COMM_SEND_NODE" => "comm_dst",
        "COMM_RECV_NODE" => "comm_src",
        "COMM_COLL_NODE" => "comm_type",
        _ => return false,
    };
    let is_core = match find(node, "is_cpu_op").and_then(|attribute| attribute.value.as_ref()) {
        Some(Value::Boolean(is_core)) => *is_core,
        value => value.and_then(Value::integer).is_some_and(|number| number != 0),
    };
    is_core && find(node, needed).is_none()
}

fn needed(node: &Node, name: &str) -> Result<u64, Problem> {
    integer(node, name)?.ok_or_else(|| {
        let found = format!("node {} (`{}`) has no attribute {name}", node.id, shown(&node.name));
        problem(found, "what a node of its type needs")
    })
}
