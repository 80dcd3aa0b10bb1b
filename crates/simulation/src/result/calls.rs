//! Tables of the calls of ranks, of the messages between them, and of the rounds of collectives.

use super::tables::{Column, Table, table};
use super::time_lines::{RecordedLines, call_of};
use crate::scenario::Scenario;
use messaging::{BegunRound, Level, MessageId, Passage};
use std::collections::HashMap;

/// A call of a rank.
struct Call {
    rank: u32,
    name: &'static str,
    /// The number of the call among those of its rank.
    number: u32,
    start: u64,
    end: u64,
}

/// The tables of a run of `scenario`: `calls`, one row for each call of a rank; `messages`, one row for each message
/// that has arrived; and `rounds`, one row for each round of each collective, with the time at which the first rank
/// begins it. Times are network cycles. None if time lines of calls were not recorded.
pub(crate) fn calls_tables(recorded: &RecordedLines, scenario: &Scenario) -> Option<[Table; 3]> {
    scenario.time_lines.as_ref().filter(|excerpt| excerpt.level == Level::Steps)?;
    let clock = scenario.parameters.node.clock;
    let cycle = |processor_cycle: u64| clock.cycle_of(processor_cycle);
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let call = recorded.intervals.iter().filter_map(|interval| {
        let (rank, name) = (interval.rank?, call_of(interval)?);
        let next = numbers.entry(rank).or_default();
        let number = *next;
        *next += 1;
        Some(Call { rank, name, number, start: cycle(interval.start), end: cycle(interval.end) })
    });
    let calls: Vec<Call> = call.collect();
    let in_cycles = |passage: &Passage| Passage { time: cycle(passage.time), ..*passage };
    let passages: Vec<Passage> = recorded.passages.iter().map(in_cycles).collect();
    let in_cycles = |begun: &BegunRound| BegunRound { time: cycle(begun.time), ..*begun };
    let rounds: Vec<BegunRound> = recorded.rounds.iter().map(in_cycles).collect();
    Some([table_of(&calls), messages(&calls, &passages), table_of_rounds(&rounds)])
}

/// Stages and rounds count from 1; stage 0 is that of an algorithm without stages.
fn table_of_rounds(rounds: &[BegunRound]) -> Table {
    let u32s = |value: fn(&BegunRound) -> u32| Column::U32(rounds.iter().map(value).collect());
    let columns = vec![
        ("collective", u32s(|begun| begun.collective)),
        ("call", Column::Text(rounds.iter().map(|begun| begun.round.collective.to_owned()).collect())),
        ("stage", u32s(|begun| begun.round.stage.unwrap_or(0))),
        ("round", u32s(|begun| begun.round.number.unwrap_or(0))),
        ("start_cycle", Column::U64(rounds.iter().map(|begun| begun.time).collect())),
    ];
    table("rounds", columns)
}

fn table_of(calls: &[Call]) -> Table {
    let columns = vec![
        ("rank", Column::U32(calls.iter().map(|call| call.rank).collect())),
        ("call", Column::Text(calls.iter().map(|call| call.name.to_owned()).collect())),
        ("number", Column::U32(calls.iter().map(|call| call.number).collect())),
        ("start_cycle", Column::U64(calls.iter().map(|call| call.start).collect())),
        ("end_cycle", Column::U64(calls.iter().map(|call| call.end).collect())),
    ];
    table("calls", columns)
}

fn messages(calls: &[Call], passages: &[Passage]) -> Table {
    let sent: HashMap<MessageId, u64> = passages
        .iter()
        .filter(|passage| passage.is_sent)
        .map(|passage| (passage.message, passage.time))
        .collect();
    let mut of_ranks: HashMap<u32, Vec<&Call>> = HashMap::new();
    calls.iter().for_each(|call| of_ranks.entry(call.rank).or_default().push(call));
    let number_at = |rank: u32, time: u64| {
        let calls = of_ranks.get(&rank)?;
        let after = calls.partition_point(|call| call.start <= time);
        Some(calls[after.checked_sub(1)?].number)
    };
    let arrived = passages.iter().filter(|passage| !passage.is_sent);
    let rows = arrived.filter_map(|passage| {
        let sent = *sent.get(&passage.message)?;
        let source = passage.message.source;
        Some((source, passage.rank, sent, passage.time, number_at(source, sent).unwrap_or(0)))
    });
    let rows: Vec<(u32, u32, u64, u64, u32)> = rows.collect();
    let columns = vec![
        ("source", Column::U32(rows.iter().map(|row| row.0).collect())),
        ("target", Column::U32(rows.iter().map(|row| row.1).collect())),
        ("sent_cycle", Column::U64(rows.iter().map(|row| row.2).collect())),
        ("arrived_cycle", Column::U64(rows.iter().map(|row| row.3).collect())),
        ("call_number", Column::U32(rows.iter().map(|row| row.4).collect())),
    ];
    table("messages", columns)
}
