//! One line of a liballprof trace: fields separated by colons.
//!
//! ```text
//!   MPI_Recv:1237666047187471.000000:11251872:4500:11,8,46909632806920:1:3000:0,0,4:140737488340112:1237666047238935.000000
//!            start, microseconds     buffer   |    type,size,garbage   | tag  |     status          end
//!                                             count               source      communicator,rank,size
//! ```

use messaging::MAX_MESSAGE_BYTES;
use mpi::{Call, Collective};

/// What is wrong in a line, and what is expected.
#[derive(Debug)]
pub(super) struct Problem {
    pub problem: String,
    pub expected: String,
}

pub(super) fn problem(problem: impl Into<String>, expected: impl Into<String>) -> Problem {
    Problem { problem: problem.into(), expected: expected.into() }
}

/// Start and end of a call, in picoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub start: u128,
    pub end: u128,
}

/// The content of a line.
#[derive(Debug)]
pub(super) enum Record {
    /// The rank starts. Its time counts from the end of `MPI_Init`.
    Init { end: u128 },
    /// A call to replay.
    Call { span: Span, call: Call },
    /// A call that involves no other rank.
    Local { span: Span },
    /// The rank ends.
    Finalize { start: u128 },
}

/// The rank that the line belongs to and the number of ranks; every communicator in the line must match them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner {
    pub rank: u32,
    pub size: u32,
}

/// Converts the fields of a call to a record.
type Reader = fn(&Fields) -> Result<Record, Problem>;

/// The calls that are replayed: the fields of each, and the function that reads them.
const CALLS: [(&str, Reader); 7] = [
    ("MPI_Init:-:argc:argv:end", |fields| fields.init()),
    ("MPI_Send:start:buffer:count:type,size,extra:target:tag:communicator,rank,size:end", |fields| {
        fields.send()
    }),
    ("MPI_Recv:start:buffer:count:type,size,extra:source:tag:communicator,rank,size:status:end", |fields| {
        fields.receive()
    }),
    ("MPI_Bcast:start:buffer:count:type,size,extra:root:communicator,rank,size:end", |fields| {
        fields.broadcast()
    }),
    (
        "MPI_Allreduce:start:send_buffer:receive_buffer:count:type,size,extra:operation:communicator,rank,size:end",
        |fields| fields.allreduce(),
    ),
    ("MPI_Barrier:start:communicator,rank,size:end", |fields| fields.barrier()),
    ("MPI_Finalize:start:-", |fields| fields.finalize()),
];

/// Local calls of the library, which involve no other rank.
const LOCAL_CALLS: [&str; 10] = [
    "MPI_Comm_rank",
    "MPI_Comm_size",
    "MPI_Wtime",
    "MPI_Wtick",
    "MPI_Initialized",
    "MPI_Get_processor_name",
    "MPI_Get_count",
    "MPI_Type_size",
    "MPI_Type_commit",
    "MPI_Address",
];

/// How the names of one-sided calls begin.
const ONE_SIDED_CALLS: [&str; 9] = [
    "MPI_Put",
    "MPI_Accumulate",
    "MPI_Get_accumulate",
    "MPI_Fetch_and_op",
    "MPI_Compare_and_swap",
    "MPI_Rput",
    "MPI_Rget",
    "MPI_Raccumulate",
    "MPI_Win_",
];

/// Open MPI's wildcard and null process, as its C library writes them into a trace (assumed for all traces).
const ANY: i64 = -1;
const NULL_PROCESS: i64 = -2;

/// Reads one line that is neither empty nor a comment.
pub(super) fn parse(text: &str, owner: Owner) -> Result<Record, Problem> {
    let fields = Fields { fields: text.split(':').collect(), owner };
    let name = fields.fields[0];
    if let Some((layout, read)) = CALLS.iter().find(|(layout, _)| name_of(layout) == name) {
        check_count(&fields.fields, layout)?;
        return read(&fields);
    }
    if LOCAL_CALLS.contains(&name) && fields.fields.len() >= 3 {
        return fields.local();
    }
    if name == "MPI_Get" || ONE_SIDED_CALLS.iter().any(|one_sided| name.starts_with(one_sided)) {
        return Err(problem(
            format!("`{}` is one-sided communication, which is not simulated", shown(name)),
            "a program of messages and collectives",
        ));
    }
    let known: Vec<&str> = CALLS.iter().map(|(layout, _)| name_of(layout)).collect();
    Err(problem(
        format!("`{}` is not a call that can be replayed", shown(name)),
        format!("{} are, and {} are skipped", known.join(", "), LOCAL_CALLS.join(", ")),
    ))
}

fn name_of(layout: &str) -> &str {
    layout.split_once(':').map_or(layout, |(name, _)| name)
}

fn check_count(fields: &[&str], layout: &str) -> Result<(), Problem> {
    let (found, expected) = (fields.len(), layout.split(':').count());
    if found == expected {
        return Ok(());
    }
    Err(problem(format!("{found} fields instead of {expected}"), format!("`{layout}`")))
}

/// The beginning of a text, escaped, for messages: the text may be very long or unprintable.
fn shown(text: &str) -> String {
    let beginning: String = text.chars().take(40).collect();
    let dots = if beginning.len() < text.len() { "..." } else { "" };
    format!("{}{dots}", beginning.escape_debug())
}

struct Fields<'a> {
    fields: Vec<&'a str>,
    owner: Owner,
}

impl Fields<'_> {
    fn init(&self) -> Result<Record, Problem> {
        Ok(Record::Init { end: self.time(self.fields.len() - 1)? })
    }

    fn finalize(&self) -> Result<Record, Problem> {
        Ok(Record::Finalize { start: self.time(1)? })
    }

    fn send(&self) -> Result<Record, Problem> {
        self.check_communicator(7)?;
        let (bytes, tag) = (self.bytes(3, 4)?, self.number(6, "tag", 0, i32::MAX.into())? as u32);
        match self.number(5, "target", NULL_PROCESS, i64::from(self.owner.size) - 1)? {
            NULL_PROCESS => self.local(),
            ANY => Err(problem("a send to rank -1", "a send names its target")),
            target => self.call(Call::Send { target: target as u32, tag, bytes }),
        }
    }

    fn receive(&self) -> Result<Record, Problem> {
        self.check_communicator(7)?;
        self.bytes(3, 4)?;
        let tag = u32::try_from(self.number(6, "tag", ANY, i32::MAX.into())?).ok();
        match self.number(5, "source", NULL_PROCESS, i64::from(self.owner.size) - 1)? {
            NULL_PROCESS => self.local(),
            source => self.call(Call::Receive { source: u32::try_from(source).ok(), tag }),
        }
    }

    fn broadcast(&self) -> Result<Record, Problem> {
        self.check_communicator(6)?;
        let root = self.number(5, "root", 0, i64::from(self.owner.size) - 1)? as u32;
        self.collective(Collective::Broadcast { root, bytes: self.bytes(3, 4)? })
    }

    fn allreduce(&self) -> Result<Record, Problem> {
        self.check_communicator(7)?;
        self.collective(Collective::Allreduce { bytes: self.bytes(4, 5)? })
    }

    fn barrier(&self) -> Result<Record, Problem> {
        self.check_communicator(2)?;
        self.collective(Collective::Barrier)
    }

    fn collective(&self, collective: Collective) -> Result<Record, Problem> {
        self.call(Call::Collective(collective))
    }

    fn call(&self, call: Call) -> Result<Record, Problem> {
        Ok(Record::Call { span: self.span()?, call })
    }

    fn local(&self) -> Result<Record, Problem> {
        Ok(Record::Local { span: self.span()? })
    }

    fn span(&self) -> Result<Span, Problem> {
        let span = Span { start: self.time(1)?, end: self.time(self.fields.len() - 1)? };
        if span.end < span.start {
            return Err(problem(
                "the call ends before it starts",
                "the last field is not less than the second",
            ));
        }
        Ok(span)
    }

    /// A time in microseconds with a fraction, converted exactly to picoseconds; further digits are dropped.
    fn time(&self, index: usize) -> Result<u128, Problem> {
        let text = self.fields[index];
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let wrong = || {
            problem(
                format!("`{}` is not a time (field {})", shown(text), index + 1),
                "microseconds such as 1237666047187471.000000",
            )
        };
        let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() > 18 || !is_digits(whole) || !is_digits(fraction) {
            return Err(wrong());
        }
        let picoseconds = format!("{whole}{:0<6.6}", fraction);
        picoseconds.parse().map_err(|_| wrong())
    }

    fn number(&self, index: usize, meaning: &str, low: i64, high: i64) -> Result<i64, Problem> {
        number(self.fields[index], meaning, low, high)
    }

    /// Count times size. The third part of `type,size,extra` is garbage in traces of 64-bit machines.
    fn bytes(&self, count: usize, datatype: usize) -> Result<u64, Problem> {
        let count = self.number(count, "count", 0, i32::MAX.into())?;
        let parts: Vec<&str> = self.fields[datatype].split(',').collect();
        let [_, size, _] = parts[..] else {
            let found = shown(self.fields[datatype]);
            return Err(problem(format!("`{found}` is not a datatype"), "`type,size,extra`"));
        };
        let bytes = (count * number(size, "size of the datatype", 0, i32::MAX.into())?) as u64;
        if bytes > MAX_MESSAGE_BYTES {
            return Err(problem(
                format!("a message of {bytes} bytes"),
                format!("at most {MAX_MESSAGE_BYTES} bytes"),
            ));
        }
        Ok(bytes)
    }

    fn check_communicator(&self, index: usize) -> Result<(), Problem> {
        let Owner { rank, size } = self.owner;
        let text = self.fields[index];
        let parts: Vec<&str> = text.split(',').collect();
        let found = shown(text);
        let [communicator, in_it, of] = parts[..] else {
            return Err(problem(format!("`{found}` is not a communicator"), "`communicator,rank,size`"));
        };
        let wrong =
            |what: &str, expected: String| Err(problem(format!("communicator `{found}` {what}"), expected));
        if communicator != "0" {
            return wrong(
                "is not MPI_COMM_WORLD",
                String::from("only communicator 0, MPI_COMM_WORLD, is replayed"),
            );
        }
        if of != size.to_string() {
            return wrong("has the wrong size", format!("{size} ranks, as many as there are files"));
        }
        if in_it != rank.to_string() {
            return wrong("has the wrong rank", format!("rank {rank}, as the name of the file says"));
        }
        Ok(())
    }
}

fn number(text: &str, meaning: &str, low: i64, high: i64) -> Result<i64, Problem> {
    let wrong = || problem(format!("{meaning} `{}`", shown(text)), format!("a number from {low} to {high}"));
    let number = text.parse().map_err(|_| wrong())?;
    if (low..=high).contains(&number) { Ok(number) } else { Err(wrong()) }
}
