//! MPI's rules of order (MPI-1, section 3.5) and collectives, in random programs under every protocol.

use crate::support::{Listed, Machine, Record, cases, choices};
use base::clock::ClockRatio;
use base::draws::mix;
use geometry::{HalfWay, Shape};
use messaging::{MessageProtocol, Parameters, Progress};
use mpi::{
    Call, Collective, Layout, Lengths, Members, Mode, Needed, ReceiveFrom, Requests, SendTo, Status,
    Transfer, TypedExchange,
};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Random numbers, named by their purpose.
#[derive(Clone, Copy)]
struct Draws(u64);

impl Draws {
    fn below(self, what: u64, max: u64) -> u64 {
        mix(mix(self.0).wrapping_add(what)) % max
    }

    fn one_in(self, what: u64, max: u64) -> bool {
        self.below(what, max) == 0
    }

    fn of(self, what: u64) -> Draws {
        Draws(mix(self.0 ^ mix(what)))
    }
}

/// A message of a program.
#[derive(Clone, Copy, Debug)]
struct Sent {
    communicator: u32,
    /// Ranks of the machine.
    source: u32,
    target: u32,
    tag: u32,
    bytes: u64,
    mode: Mode,
    layout: Layout,
}

/// The actions of a rank, in any order except for the collectives.
#[derive(Clone, Debug)]
enum Action {
    Send(Sent),
    Receive(ReceiveFrom),
    /// A receive right behind a probe, which takes the message or only finds it.
    ProbeAndReceive {
        from: ReceiveFrom,
        takes: bool,
    },
    Compute(u64),
    Collect(Collective, u32),
    /// A barrier of all ranks, blocking.
    Barrier,
}

/// The tag of messages in ready mode, and of no others.
const READY: u32 = 3;

/// The members of the communicators that all programs create, as ranks of the machine.
fn communicators(ranks: u32) -> Vec<(Members, Vec<u32>)> {
    let all: Vec<u32> = (0..ranks).collect();
    let reversed: Vec<u32> = (0..ranks).rev().collect();
    let even: Vec<u32> = all.iter().copied().step_by(2).collect();
    let stride = Members::Stride { first: 0, stride: 2, count: even.len() as u32 };
    vec![
        (Members::All, all.clone()),
        (Members::All, all),
        (stride, even),
        (Members::list(reversed.iter().copied()), reversed),
    ]
}

fn rank_in(members: &[u32], rank: u32) -> Option<u32> {
    members.iter().position(|&member| member == rank).map(|rank| rank as u32)
}

/// A collective of any kind that fits any communicator.
fn collective(draws: Draws, rank: u32, size: u32) -> Collective {
    let (root, bytes) =
        (draws.below(0, size.into()) as u32, [0, 8, 300, 3000, 20_000][draws.below(1, 5) as usize]);
    let length = |from: u32, to: u32| draws.of(u64::from(from) << 32 | u64::from(to)).below(2, 3) * bytes / 2;
    let lengths = || Lengths::new((0..size).map(|rank| length(0, rank)));
    let sent = || Lengths::new((0..size).map(|peer| length(rank, peer)));
    let received = || Lengths::new((0..size).map(|peer| length(peer, rank)));
    let blocks = |what| Lengths::new((0..size).map(|peer| draws.of(peer.into()).below(what, 9)));
    // A list of all: the compiler asks for the place of a new one.
    let after = |previous: &Collective| {
        Some(match previous {
            Collective::Barrier => Collective::Broadcast { root, bytes },
            Collective::Broadcast { .. } => Collective::Allreduce { bytes },
            Collective::Allreduce { .. } => Collective::Reduce { root, bytes },
            Collective::Reduce { .. } => Collective::Gather { root, bytes },
            Collective::Gather { .. } if rank == root => Collective::Gatherv { root, lengths: lengths() },
            Collective::Gather { .. } => {
                Collective::Gatherv { root, lengths: Lengths::new([length(0, rank)]) }
            }
            Collective::Gatherv { .. } => Collective::Scatter { root, bytes },
            Collective::Scatter { .. } => Collective::Scatterv { root, lengths: lengths() },
            Collective::Scatterv { .. } => Collective::Allgather { bytes },
            Collective::Allgather { .. } => Collective::Allgatherv { lengths: lengths() },
            Collective::Allgatherv { .. } => Collective::Alltoall { bytes },
            Collective::Alltoall { .. } => Collective::Alltoallv { sent: sent(), received: received() },
            Collective::Alltoallv { .. } => {
                let (blocks_sent, blocks_received) = (blocks(4), blocks(5));
                let (sent, received) = (sent(), received());
                Collective::Alltoallw(Box::new(TypedExchange {
                    sent,
                    received,
                    blocks_sent,
                    blocks_received,
                }))
            }
            Collective::Alltoallw(_) => Collective::ReduceScatter { lengths: lengths() },
            Collective::ReduceScatter { .. } => Collective::ReduceScatterBlock { bytes },
            Collective::ReduceScatterBlock { .. } => Collective::Scan { bytes },
            Collective::Scan { .. } => Collective::Exscan { bytes },
            Collective::Exscan { .. } => return None,
        })
    };
    let mut all: Vec<Collective> = std::iter::successors(Some(Collective::Barrier), after).collect();
    all.swap_remove(draws.below(3, all.len() as u64) as usize)
}

fn messages(ranks: u32, count: u64, draws: Draws) -> Vec<Sent> {
    let communicators = communicators(ranks);
    let message = |number: u64| {
        let draws = draws.of(number);
        let communicator = draws.below(0, 4) as u32;
        let members = &communicators[communicator as usize].1;
        let member = |what: u64| members[draws.below(what, members.len() as u64) as usize];
        let modes = [Mode::Standard, Mode::Standard, Mode::Synchronous, Mode::Buffered, Mode::Ready];
        let mode = modes[draws.below(5, 5) as usize];
        Sent {
            communicator,
            source: member(1),
            target: member(2),
            tag: if mode == Mode::Ready { READY } else { draws.below(3, 3) as u32 },
            bytes: [0, 10, 500, 3000][draws.below(4, 4) as usize],
            mode,
            layout: Layout::of(draws.below(6, 20) as u32),
        }
    };
    (0..count).map(message).collect()
}

/// The receive of a message in ready mode. All are posted before any rank sends. As those of a communicator are
/// from any source or all from named ones, none takes the message of another.
fn ready_receive(message: &Sent, members: &[u32], draws: Draws) -> ReceiveFrom {
    let is_named = draws.one_in(8 + u64::from(message.communicator), 2);
    ReceiveFrom {
        communicator: message.communicator,
        ..ReceiveFrom::new(rank_in(members, message.source).filter(|_| is_named), Some(READY))
    }
}

/// The program of a rank: its sends, receives and collectives mixed. Then it receives all messages that may be
/// left, since a wildcard may have taken the message of another receive, and waits for as many messages as come.
/// Receives of messages in ready mode come first, and a barrier behind them.
fn program(rank: u32, ranks: u32, sent: &[Sent], draws: Draws) -> Vec<Call> {
    let communicators = communicators(ranks);
    let of_rank = draws.of(1 + u64::from(rank));
    let mut actions = Vec::new();
    for (number, message) in (0..).zip(sent) {
        let draws = of_rank.of(number);
        if message.source == rank {
            actions.push((draws.below(0, 1000), Action::Send(*message)));
        }
        if message.target == rank && message.mode != Mode::Ready {
            let members = &communicators[message.communicator as usize].1;
            let source = rank_in(members, message.source).filter(|_| !draws.one_in(1, 3));
            let receive = ReceiveFrom {
                communicator: message.communicator,
                layout: Layout::of(draws.below(8, 20) as u32),
                ..ReceiveFrom::new(source, (!draws.one_in(2, 3)).then_some(message.tag))
            };
            let action = match draws.below(3, 6) {
                0 => Action::ProbeAndReceive { from: receive, takes: false },
                1 => Action::ProbeAndReceive { from: receive, takes: true },
                _ => Action::Receive(receive),
            };
            actions.push((draws.below(4, 1000), action));
        }
        if draws.one_in(5, 4) {
            actions.push((draws.below(6, 1000), Action::Compute(draws.below(7, 5000))));
        }
    }
    for number in 0..draws.below(0, 4) {
        let draws = draws.of(1 << 20 | number);
        let communicator = draws.below(4, 4) as u32;
        let members = &communicators[communicator as usize].1;
        if let Some(own) = rank_in(members, rank) {
            let collective = collective(draws, own, members.len() as u32);
            // All ranks call collectives in one order.
            actions.push((200 * number + draws.below(5, 200), Action::Collect(collective, communicator)));
        }
    }
    actions.sort_by_key(|(place, _)| *place);
    let mut calls: Vec<Call> = (1..)
        .zip(&communicators[1..])
        .map(|(new, (members, ranks))| Call::Create {
            communicator: mpi::WORLD,
            members: ranks.contains(&rank).then(|| members.clone()),
            new,
            order: 0,
        })
        .collect();
    let is_ready = |message: &&Sent| message.mode == Mode::Ready;
    let ready = sent.iter().filter(is_ready).filter(|message| message.target == rank).map(|message| {
        let members = &communicators[message.communicator as usize].1;
        Action::Receive(ready_receive(message, members, of_rank))
    });
    let barrier = sent.iter().find(is_ready).map(|_| Action::Barrier);
    let mixed = actions.into_iter().map(|(_, action)| action);
    append(&mut calls, rank, &communicators, ready.chain(barrier).chain(mixed), sent);
    calls
}

fn append(
    calls: &mut Vec<Call>,
    rank: u32,
    communicators: &[(Members, Vec<u32>)],
    actions: impl Iterator<Item = Action>,
    sent: &[Sent],
) {
    // Requests of receives follow all others.
    let (mut others, first) = (0, 1000);
    let mut receives = first;
    let next = |number: &mut u32| {
        *number += 1;
        *number - 1
    };
    let receive = |receive: ReceiveFrom, request| Call::Begin {
        transfer: Transfer::Receive(receive),
        request: Some(request),
    };
    for action in actions {
        match action {
            Action::Send(message) => {
                let Sent { communicator, target, tag, bytes, mode, layout, .. } = message;
                let members = &communicators[communicator as usize].1;
                let target = rank_in(members, target).expect("it is a member");
                let send = SendTo { communicator, target, tag, bytes, mode, layout };
                let request = Some(next(&mut others));
                calls.push(Call::Begin { transfer: Transfer::Send(send), request });
            }
            Action::Receive(from) => calls.push(receive(from, next(&mut receives))),
            Action::ProbeAndReceive { from, takes } => {
                calls.push(Call::Find { message: from, takes, blocks: false });
                calls.push(receive(from, next(&mut receives)));
            }
            Action::Compute(cycles) => calls.push(Call::Compute { cycles }),
            Action::Barrier => calls.push(Call::Collect {
                collective: Collective::Barrier,
                communicator: mpi::WORLD,
                request: None,
                tuning: Box::default(),
            }),
            Action::Collect(collective, communicator) => {
                calls.push(Call::Collect {
                    collective,
                    communicator,
                    request: Some(next(&mut others)),
                    tuning: Box::default(),
                });
            }
        }
    }
    let own = || sent.iter().filter(|message| message.target == rank);
    for message in own() {
        let from = ReceiveFrom { communicator: message.communicator, ..ReceiveFrom::new(None, None) };
        calls.push(receive(from, next(&mut receives)));
    }
    let range = |first, end| Requests::range(first, end - first);
    let odd = Requests::list((0..others).filter(|number| number % 2 == 1));
    calls.push(Call::Wait { requests: odd, needed: Needed::All });
    calls.push(Call::Wait { requests: range(0, others), needed: Needed::All });
    calls.extend(own().map(|_| Call::Wait { requests: range(first, receives), needed: Needed::Any }));
}

/// A receive of a rank, with the message that it has got.
#[derive(Clone, Copy, Debug)]
struct Received {
    from: ReceiveFrom,
    /// The sender as a rank of the machine, and the message.
    message: Option<(u32, Status)>,
}

impl Received {
    fn accepts(&self, members: &[u32], source: u32, tag: u32) -> bool {
        let named = self.from.source.map(|rank| members[rank as usize]);
        named.is_none_or(|named| named == source) && self.from.tag.is_none_or(|named| named == tag)
    }
}

/// The receives of a rank in order, and the messages that probes right before them have found.
fn receives(calls: &[Call], record: &Record, rank: usize, ranks: u32) -> Vec<(Received, Option<Status>)> {
    let (communicators, outcomes) = (communicators(ranks), &record.outcomes[rank]);
    let waits =
        calls.iter().zip(outcomes).filter(|(call, _)| matches!(call, Call::Wait { needed: Needed::Any, .. }));
    let got: HashMap<u32, Status> = waits
        .map(|(_, outcome)| (outcome.request.unwrap(), outcome.received.expect("a receive has ended")))
        .collect();
    let mut receives = Vec::new();
    let mut probed = None;
    for (call, outcome) in calls.iter().zip(outcomes) {
        if let Call::Find { .. } = call {
            probed = outcome.received;
        }
        if let Call::Begin { transfer: Transfer::Receive(from), request } = call {
            let members = &communicators[from.communicator as usize].1;
            let status = got.get(&request.expect("it does not block"));
            let message = status.map(|status| (members[status.source as usize], *status));
            receives.push((Received { from: *from, message }, probed.take()));
        }
    }
    receives
}

/// Checks the messages that the receives of a rank have got, by MPI's rules.
fn assert_in_order(calls: &[Vec<Call>], record: &Record, rank: u32, ranks: u32, sent: &[Sent]) {
    let communicators = communicators(ranks);
    let receives = receives(&calls[rank as usize], record, rank as usize, ranks);
    for (received, probed) in &receives {
        if let Some(probed) = probed {
            let (_, status) = received.message.expect("a probe has found a message");
            assert_eq!(status, *probed, "a receive gets what a probe has found");
        }
    }
    for (number, (_, members)) in (0..).zip(&communicators) {
        let receives: Vec<Received> = receives
            .iter()
            .map(|(received, _)| *received)
            .filter(|received| received.from.communicator == number)
            .collect();
        let expected = sent.iter().filter(|message| (message.target, message.communicator) == (rank, number));
        let mut expected: Vec<_> =
            expected.map(|message| (message.source, message.tag, message.bytes)).collect();
        let got = receives.iter().filter_map(|received| received.message);
        let mut all: Vec<_> =
            got.clone().map(|(source, status)| (source, status.tag, status.bytes)).collect();
        expected.sort_unstable();
        all.sort_unstable();
        assert_eq!(all, expected, "every message is received once");
        // The order of arrivals that must hold: messages of one sender as they were sent, and the message of a
        // receive before those that a later receive got although this one would have.
        let mut before: BTreeMap<(u32, u32), BTreeSet<(u32, u32)>> = BTreeMap::new();
        let name = |(source, status): (u32, Status)| (source, status.number);
        for one in got.clone() {
            let earlier =
                got.clone().map(name).filter(|&(source, number)| source == one.0 && number < one.1.number);
            before.entry(name(one)).or_default().extend(earlier);
        }
        for (place, received) in receives.iter().enumerate() {
            let Some(message) = received.message else { continue };
            assert!(received.accepts(members, message.0, message.1.tag), "{received:?}");
            for earlier in
                receives[..place].iter().filter(|earlier| earlier.accepts(members, message.0, message.1.tag))
            {
                let its = earlier.message.expect("an earlier receive gets a message first");
                before.get_mut(&name(message)).unwrap().insert(name(its));
            }
        }
        while !before.is_empty() {
            let first = before.iter().find(|(_, before)| before.is_empty()).map(|(name, _)| *name);
            let first = first.unwrap_or_else(|| panic!("no order of arrival leads to this: {before:?}"));
            before.remove(&first);
            before.values_mut().for_each(|before| before.retain(|name| *name != first));
        }
    }
}

prop_compose! {
    /// Machines under a protocol, with and without message credits, and with rendezvous of long messages.
    fn machines_under(protocol: MessageProtocol)(
        lengths in prop::collection::vec(1u32..=3, 1..=3), half_way in select(&HalfWay::ALL[..]), cores in 1u8..=2,
        seed: u64,
        rendezvous_from_bytes in prop::option::of(select(vec![0u64, 300, 3000])),
        message_credits in prop::option::of(1u32..5), pool in 0u32..20,
        (write, read, call, copy, pack) in (
            prop_oneof![Just(0), 1u32..300], prop_oneof![Just(0), 1u32..400], prop_oneof![Just(0), 1u32..100],
            prop_oneof![Just(0), 1u32..20], prop_oneof![Just(0), 1u32..50],
        ),
        reads_while_computing: bool, choices in choices(),
    ) -> Machine {
        let shape = Shape::torus(&lengths).unwrap().with_half_way(half_way, seed);
        let mut network = network::Parameters::bluegene_l(shape, seed);
        network.node.cores = cores;
        network.node.clock = ClockRatio { processor_cycles: 4, cycles: 1 };
        let parameters = Parameters {
            protocol,
            rendezvous_from_bytes,
            message_credits,
            message_credit_pool: message_credits.map_or(0, |_| pool),
            write_processor_cycles: write,
            read_processor_cycles: read,
            call_processor_cycles: call.into(),
            copy_processor_cycles_per_chunk: copy,
            noncontiguous_processor_cycles_per_block: pack,
            reads_while_computing,
            ..Parameters::default()
        };
        Machine { choices, ..Machine::of(network, parameters) }
    }
}

fn machines() -> impl Strategy<Value = Machine> {
    select(MessageProtocol::ALL).prop_flat_map(machines_under)
}

fn max_ranks(machine: &Machine) -> u32 {
    machine.network.shape.nodes() * u32::from(machine.network.node.cores)
}

/// A random program on up to 16 ranks keeps MPI's order, on both engines and from checkpoints alike.
fn assert_matched_in_order(machine: &Machine, count: u64, draws: Draws, cut: u64) {
    let ranks = max_ranks(machine).min(16);
    let sent = messages(ranks, count, draws);
    let calls: Vec<Vec<Call>> = (0..ranks).map(|rank| program(rank, ranks, &sent, draws)).collect();
    let run = |threads, cuts: &[u64]| machine.run(threads, cuts, Listed::programs(calls.clone()));
    let expected = run(0, &[u64::MAX]);
    assert_eq!(expected.progress, Progress::Finished);
    for rank in 0..ranks {
        assert_in_order(&calls, &expected.record, rank, ranks, &sent);
    }
    for (threads, cuts) in [(2, &[u64::MAX][..]), (0, &[cut, u64::MAX]), (3, &[cut, u64::MAX])] {
        let run = run(threads, cuts);
        assert_eq!(run.record, expected.record);
        assert_eq!(run.totals, expected.totals);
        assert_eq!(run.operations, expected.operations);
    }
}

proptest! {
    #![proptest_config(cases(20))]

    #[test]
    fn eager_deterministic_messages_match_in_mpis_order(
        machine in machines_under(MessageProtocol::EagerDeterministic),
        count in 0u64..60, seed: u64, cut in 1u64..20_000,
    ) {
        assert_matched_in_order(&machine, count, Draws(seed), cut);
    }

    #[test]
    fn eager_adaptive_messages_match_in_mpis_order(
        machine in machines_under(MessageProtocol::EagerAdaptive),
        count in 0u64..60, seed: u64, cut in 1u64..20_000,
    ) {
        assert_matched_in_order(&machine, count, Draws(seed), cut);
    }

    #[test]
    fn rendezvous_messages_match_in_mpis_order(
        machine in machines_under(MessageProtocol::Rendezvous),
        count in 0u64..60, seed: u64, cut in 1u64..20_000,
    ) {
        assert_matched_in_order(&machine, count, Draws(seed), cut);
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// Collectives of all kinds end under every protocol, among all ranks and among those of lines and planes,
    /// blocking or not, by chosen algorithms. Their ranks may do anything meanwhile.
    #[test]
    fn collectives_end_under_every_protocol(machine in machines(), count in 1u64..8, seed: u64, blocks: bool, cut in 1u64..20_000) {
        let (ranks, draws) = (max_ranks(&machine), Draws(seed));
        let (row, column) = (machine.lengths()[0], machine.lengths()[1]);
        let calls = |rank: u32| {
            let line: Vec<u32> = (rank / row * row..).take(row as usize).collect();
            let is_apart = |other: &u32| other / row % column == rank / row % column;
            let plane: Vec<u32> = (0..ranks).filter(is_apart).collect();
            let parts = [(0..ranks).collect(), line, plane];
            let orders = [0, rank / row, rank / row % column];
            let create = |new: usize| Call::Create {
                communicator: mpi::WORLD,
                members: Some(Members::list(parts[new].iter().copied())),
                new: new as u32,
                order: orders[new],
            };
            let mut calls = vec![create(1), create(2)];
            for number in 0..count {
                let communicator = draws.of(number).below(4, 3) as u32;
                let members = &parts[communicator as usize];
                let own = rank_in(members, rank).expect("it is a member");
                let collective = collective(draws.of(number), own, members.len() as u32);
                let cycles = draws.of(number).below(100 + u64::from(rank), 3000);
                let request = (!blocks).then_some(number as u32);
                calls.push(Call::Compute { cycles });
                calls.push(Call::Collect { collective, communicator, request, tuning: Box::default() });
            }
            let requests = Requests::range(0, count as u32);
            calls.push(Call::Wait { requests, needed: Needed::All });
            calls
        };
        let calls: Vec<Vec<Call>> = (0..ranks).map(calls).collect();
        let run = |threads, cuts: &[u64]| machine.run(threads, cuts, Listed::programs(calls.clone()));
        let expected = run(0, &[u64::MAX]);
        prop_assert_eq!(&expected.progress, &Progress::Finished);
        prop_assert_eq!(expected.totals.messages_sent, expected.totals.messages_received);
        for (threads, cuts) in [(2, &[u64::MAX][..]), (3, &[cut, u64::MAX])] {
            let run = run(threads, cuts);
            prop_assert_eq!(&run.record, &expected.record);
            prop_assert_eq!(run.operations, expected.operations);
        }
    }
}
