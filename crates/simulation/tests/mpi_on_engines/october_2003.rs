//! MPI on Blue Gene/L in October 2003 (the slides; rows S40 to S48): the effects of its parameters.

use crate::support::{Listed, Machine, Run};
use base::clock::ClockRatio;
use messaging::{Coprocessor, End, MessageProtocol, Parameters, Progress};
use mpi::{Call, Needed, PingPong, Requests};

/// Processor cycles of a network cycle.
const RATIO: u64 = 4;

fn machine(lengths: &[u32], parameters: Parameters) -> Machine {
    let mut machine = Machine::torus(lengths, 1);
    machine.network.node.clock = ClockRatio { processor_cycles: RATIO as u32, cycles: 1 };
    Machine { parameters, ..machine }
}

fn half_round_trip(machine: &Machine, bytes: u64) -> u64 {
    let times = machine.one_way_times(&move |rank| PingPong::new(rank, bytes, 4));
    // The first begins before the other rank has posted its receive.
    let round_trips: Vec<u64> = times.chunks(2).skip(1).map(|pair| pair.iter().sum()).collect();
    assert!(round_trips.iter().all(|&round_trip| round_trip == round_trips[0]), "{round_trips:?}");
    round_trips[0] / 2
}

fn run(machine: &Machine, calls: Vec<Vec<Call>>) -> Run {
    machine.run(1, &[u64::MAX], Listed::programs(calls))
}

/// Ranks of which some send `messages` messages of `bytes` bytes each to their targets, and all receive what is for them.
fn streams(machine: &Machine, targets: &[(u32, u32)], messages: u32, bytes: u64) -> Run {
    let ranks = machine.network.shape.nodes();
    let calls = |rank: u32| {
        let mut calls = Vec::new();
        for (number, &(source, target)) in (0..).zip(targets) {
            for message in 0..messages {
                let request = number * messages + message;
                if target == rank {
                    let (source, tag) = (Some(source), Some(message));
                    calls.push(Call::ReceiveNonBlocking { source, tag, request });
                }
                if source == rank {
                    calls.push(Call::SendNonBlocking { target, tag: message, bytes, request });
                }
            }
        }
        let requests = Requests::range(0, targets.len() as u32 * messages);
        calls.push(Call::Wait { requests, needed: Needed::All });
        calls
    };
    let run = run(machine, (0..ranks).map(calls).collect());
    assert_eq!(run.progress, Progress::Finished);
    run
}

fn network_cycles(run: &Run) -> f64 {
    run.finished.iter().flatten().copied().max().expect("all have finished") as f64
}

/// The neighbors of node 0 on a torus of 4x4x4.
const NEIGHBORS: [u32; 6] = [1, 3, 4, 12, 16, 48];

/// S40, S41: 3,000 processor cycles within 5 %, constant up to 192 bytes, and the sum of its layers.
#[test]
fn a_message_to_a_neighbor_takes_three_thousand_processor_cycles() {
    let parameters = Parameters::october_2003();
    let machine = machine(&[8, 8, 8], parameters);
    let latency = half_round_trip(&machine, 0);
    assert!((2850..=3150).contains(&latency), "{latency}");
    for bytes in [1, 16, 100, 192] {
        assert_eq!(half_round_trip(&machine, bytes), latency, "{bytes} bytes");
    }
    assert!(half_round_trip(&machine, 193) > latency);
    let layers = parameters.layers_of_one_packet(8);
    assert_eq!((layers.packet, layers.message, layers.mpi), (820, 365, 735));
    // Injection, a hop, the packet on the wire and in the FIFO; then the polling interval, and rounding to network cycles.
    let hardware = RATIO * (10 + 12 + 260);
    let rest = latency - hardware - layers.packet - layers.message - layers.mpi;
    assert!(rest <= 5 * RATIO, "{rest}");
}

/// S43, S46: one link carries 224 bytes of payload in 270 byte times, the sender writes more than fast enough.
#[test]
fn a_neighbor_gets_the_payload_of_full_packets() {
    let machine = machine(&[8, 8, 8], Parameters::october_2003());
    let (bytes, messages) = (1 << 20, 2);
    let cycles = network_cycles(&streams(&machine, &[(0, 1)], messages, bytes));
    let rate = f64::from(messages) * bytes as f64 / cycles;
    assert!((0.82..0.83).contains(&rate), "{rate}");
}

/// S42, S46: six neighbors at once get the same share, each from its own FIFO.
#[test]
fn six_way_send_is_bound_by_the_links() {
    let machine = machine(&[4, 4, 4], Parameters::october_2003());
    let targets = NEIGHBORS.map(|target| (0, target));
    let bytes = 1 << 19;
    let rate = 6.0 * bytes as f64 / network_cycles(&streams(&machine, &targets, 1, bytes));
    assert!((0.82 * 6.0..0.83 * 6.0).contains(&rate), "{rate}");
}

/// S44, S45: reading an eager packet takes 350 processor cycles, so that a core empties less than half of six
/// links' FIFOs.
#[test]
fn six_way_receive_is_bound_by_the_core() {
    let machine = machine(&[4, 4, 4], Parameters::october_2003());
    let sources = NEIGHBORS.map(|source| (source, 0));
    let bytes = 1 << 18;
    let run = streams(&machine, &sources, 1, bytes);
    let packets = 6 * (1 + (bytes - 192 + 16).div_ceil(224));
    let per_cycle = 256.0 * packets as f64 / (network_cycles(&run) * RATIO as f64);
    assert!((per_cycle / 0.731 - 1.0).abs() < 0.03, "{per_cycle}");
}

/// S47: the scratchpad costs latency. Packets are copied twice, and passed between cores twice.
#[test]
fn a_co_processor_with_a_scratchpad_takes_longer() {
    let parameters = Parameters::october_2003();
    let heater = half_round_trip(&machine(&[8, 8, 8], parameters), 0);
    let with = |scratchpad_processor_cycles_per_chunk| {
        let coprocessor = Coprocessor {
            scratchpad_processor_cycles_per_chunk,
            handover_processor_cycles: 100,
            flush_processor_cycles_per_chunk: 8,
        };
        let coprocessor = Some(coprocessor);
        half_round_trip(&machine(&[8, 8, 8], Parameters { coprocessor, ..parameters }), 0)
    };
    let (copied, flushed) = (2 * (128 + 100), 2 * (64 + 100));
    for (latency, more) in [(with(Some(16)), copied), (with(None), flushed)] {
        assert!((heater + more - RATIO..=heater + more + 4 * RATIO).contains(&latency), "{latency} {heater}");
    }
}

/// A co-processor reads packets while its core computes; without one they wait in the FIFO, and an interrupt gets them.
#[test]
fn packets_are_read_while_a_core_computes_by_a_co_processor_or_after_an_interrupt() {
    let october = Parameters::october_2003();
    let computing = |parameters| {
        let receives = vec![
            Call::ReceiveNonBlocking { source: Some(1), tag: Some(0), request: 0 },
            Call::Compute { cycles: 200_000 },
            Call::Wait { requests: Requests::one(0), needed: Needed::All },
        ];
        let sends = vec![Call::Send { target: 1 - 1, tag: 0, bytes: 20_000 }];
        network_cycles(&run(&machine(&[8], parameters), vec![receives, sends])) as u64 * RATIO
    };
    let packets = 1 + (20_000_u64 - 192).div_ceil(224);
    // The FIFO holds four packets; the others come one by one, each in 270 byte times, when the computation has ended.
    let polling = computing(october);
    let late = 200_000 + (packets - 4) * 270 * RATIO;
    assert!((late..late + 5000).contains(&polling), "{polling} {late}");
    // The core still reads all of them, and is interrupted for every two, but the network continues meanwhile.
    let watermark = messaging::Watermark { bytes: 512, interrupt_processor_cycles: 1000 };
    let interrupted = computing(Parameters { watermark: Some(watermark), ..october });
    let read = 200_000 + packets * 350 + packets / 2 * 1000;
    assert!(interrupted.abs_diff(read) < 20_000 && interrupted < polling, "{interrupted} {read}");
    let coprocessor = Coprocessor {
        scratchpad_processor_cycles_per_chunk: None,
        handover_processor_cycles: 100,
        flush_processor_cycles_per_chunk: 8,
    };
    let overlapped = computing(Parameters { coprocessor: Some(coprocessor), ..october });
    let handled = 200_000 + packets * (146 + 64);
    assert!(overlapped.abs_diff(handled) < 5000, "{overlapped} {handled}");
}

/// The program of the slides, whose rank 1, at x=2, is farther from rank 0 than rank 2, at x=1. Packets that pass
/// through the node of rank 2 come before its own. Here ranks have the numbers of their nodes: rank 0 receives from
/// 2 and then from 1, message by message.
fn starved(parameters: Parameters, messages: u32, bytes: u64) -> Run {
    let receive = |source| Call::Receive { source: Some(source), tag: Some(0) };
    let receives = (0..messages).flat_map(|_| [receive(2), receive(1)]).collect();
    let sends = vec![Call::Send { target: 0, tag: 0, bytes }; messages as usize];
    run(&machine(&[8], parameters), vec![receives, sends.clone(), sends])
}

/// S48, with less memory than a node had, so that the test is short.
#[test]
fn a_rank_without_flow_control_runs_out_of_memory() {
    let adaptive = Parameters {
        protocol: MessageProtocol::EagerAdaptive,
        unexpected_limit_bytes: Some(4 << 20),
        ..Parameters::october_2003()
    };
    let (messages, bytes) = (60, 100_000);
    let progress = starved(adaptive, messages, bytes).progress;
    let Progress::Aborted(aborted) = &progress else { panic!("{progress:?}") };
    assert_eq!(aborted.rank, 0);
    assert!(matches!(aborted.end, End::OutOfMemory { bytes } if bytes > 4 << 20), "{aborted:?}");
    let with_credits = Parameters { message_credits: Some(4), ..adaptive };
    assert_eq!(starved(with_credits, messages, bytes).progress, Progress::Finished);
    let with_pool = Parameters { message_credit_pool: 16, ..with_credits };
    assert_eq!(starved(with_pool, messages, bytes).progress, Progress::Finished);
    let rendezvous = Parameters { protocol: MessageProtocol::Rendezvous, ..adaptive };
    assert_eq!(starved(rendezvous, messages, bytes).progress, Progress::Finished);
}

/// Waits through handshakes are named.
#[test]
fn ranks_that_wait_for_a_handshake_forever_are_named() {
    let send = |target| Call::Send { target, tag: 0, bytes: 5000 };
    let waiting = |parameters, calls| {
        let progress = run(&machine(&[8], parameters), calls).progress;
        if let Progress::Stuck(stuck) = progress { stuck.waiting_for } else { panic!("{progress:?}") }
    };
    let rendezvous = Parameters { protocol: MessageProtocol::Rendezvous, ..Parameters::october_2003() };
    let expected = |call, why| {
        format!(
            "MPI_Send of 5000 bytes to rank 1 (call {call}); no clear to send has come, as rank 1 has no receive for its \
             message of 5000 bytes ({why})"
        )
    };
    assert_eq!(waiting(rendezvous, vec![vec![send(1)], vec![send(0)]]), expected(1, "rendezvous"));
    let with_credits = Parameters { message_credits: Some(2), ..Parameters::october_2003() };
    let words = waiting(with_credits, vec![vec![send(1); 3], vec![send(0); 3]]);
    assert_eq!(words, expected(3, "rendezvous, without a message credit"));
}
