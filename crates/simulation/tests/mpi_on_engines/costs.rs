//! The costs of the message layer: each is spent, and by the activity that its row in the table of costs names.

use crate::collective_networks::{machine, on};
use crate::support::{Listed, Run};
use messaging::{Activity, Coprocessor, Dma, Parameters, Progress, Watermark};
use mpi::{Algorithm, Call, Collective, Layout, Needed, ReceiveFrom, Requests, SendTo, Transfer};

/// Messages in several pieces that have arrived before their receive, and collectives on all networks.
fn calls(rank: u32) -> Vec<Call> {
    let layout = Layout::of(9);
    let send = SendTo { layout, ..SendTo::new((rank + 1) % 4, 0, 5000) };
    let receive = ReceiveFrom { layout, ..ReceiveFrom::new(Some((rank + 3) % 4), Some(0)) };
    vec![
        Call::Begin { transfer: Transfer::Send(send), request: Some(0) },
        Call::Compute { cycles: 100_000 },
        Call::Begin { transfer: Transfer::Receive(receive), request: None },
        Call::Wait { requests: Requests::one(0), needed: Needed::All },
        Call::Collective(Collective::Allreduce { bytes: 512 }),
        on(Algorithm::TreeNetwork, Collective::Allreduce { bytes: 512 }, None),
        on(Algorithm::Interrupts, Collective::Barrier, None),
    ]
}

/// Several messages while the ranks compute.
fn sends_while_computing(rank: u32) -> Vec<Call> {
    let (target, source) = ((rank + 1) % 4, Some((rank + 3) % 4));
    let send = |request| Call::SendNonBlocking { target, tag: 0, bytes: 5000, request };
    let receive =
        Call::Begin { transfer: Transfer::Receive(ReceiveFrom::new(source, Some(0))), request: None };
    let mut calls: Vec<Call> = (0..3).map(send).collect();
    calls.push(Call::Compute { cycles: 100_000 });
    calls.extend([receive.clone(), receive.clone(), receive]);
    calls.push(Call::Wait { requests: Requests::range(0, 3), needed: Needed::All });
    calls
}

fn run(parameters: Parameters, calls: fn(u32) -> Vec<Call>) -> Run {
    let mut machine = machine(&[4], 1);
    machine.parameters = parameters;
    let run = machine.run(1, &[u64::MAX], Listed::programs((0..4).map(calls).collect()));
    assert_eq!(run.progress, Progress::Finished);
    run
}

fn end(run: &Run) -> Option<u64> {
    run.finished.iter().copied().flatten().max()
}

#[test]
fn each_cost_takes_time() {
    let sizes = Parameters { alignment_bytes: 16, receive_offset_bytes: 5, ..Parameters::default() };
    let run = |parameters| run(parameters, calls);
    let (free, mut keys) = (run(sizes), Vec::new());
    let _ = sizes.with_costs(|key| {
        keys.push(key);
        0
    });
    for key in keys {
        let parameters = sizes.with_costs(|other| if other == key { 1000 } else { 0 });
        let run = run(parameters);
        assert!(end(&run) > end(&free), "{key}");
        let moves_packets = |activity| {
            let mut lines = run.time_lines.iter();
            lines.any(|line| line.activity == activity && line.message.is_some() && line.start < line.end)
        };
        assert_eq!(parameters.is_reading_free(), !moves_packets(Activity::Read), "{key}");
        assert_eq!(parameters.is_writing_free(), !moves_packets(Activity::Write), "{key}");
    }
}

/// Each has all its fields without `..`, so that the compiler asks here for a new one.
#[test]
fn each_cost_of_co_processors_engines_and_interrupts_takes_time() {
    let dma = Dma {
        processor_cycles_per_chunk: 10, // so that the core finds its injection FIFO full
        injection_fifo_descriptors: 1,
        descriptor_processor_cycles: 0,
        interrupt_processor_cycles: 0,
    };
    let coprocessor = Coprocessor {
        scratchpad_processor_cycles_per_chunk: None,
        handover_processor_cycles: 0,
        flush_processor_cycles_per_chunk: 0,
    };
    let watermark = Watermark { bytes: 256, interrupt_processor_cycles: 0 };
    let free = Parameters { reads_while_computing: false, ..Parameters::default() };
    let of_dma = |dma| Parameters { dma: Some(dma), ..free };
    let of_coprocessor = |coprocessor| Parameters { coprocessor: Some(coprocessor), ..free };
    let of_reception = |watermark| Parameters { watermark: Some(watermark), ..free };
    let writing = Parameters { write_processor_cycles: 1, ..free }; // so that FIFOs are not filled at once
    let of_injection = |watermark| Parameters { injection_watermark: Some(watermark), ..writing };
    let time = |parameters| end(&run(parameters, sends_while_computing));
    for costly in [
        Dma { processor_cycles_per_chunk: 1000, ..dma },
        Dma { descriptor_processor_cycles: 1000, ..dma },
        Dma { interrupt_processor_cycles: 1000, ..dma },
    ] {
        assert!(time(of_dma(costly)) > time(of_dma(dma)), "{costly:?}");
    }
    for costly in [
        Coprocessor { scratchpad_processor_cycles_per_chunk: Some(1000), ..coprocessor },
        Coprocessor { handover_processor_cycles: 1000, ..coprocessor },
        Coprocessor { flush_processor_cycles_per_chunk: 1000, ..coprocessor },
    ] {
        assert!(time(of_coprocessor(costly)) > time(of_coprocessor(coprocessor)), "{costly:?}");
    }
    let costly = Watermark { interrupt_processor_cycles: 1000, ..watermark };
    assert!(time(of_reception(costly)) > time(of_reception(watermark)), "{costly:?}");
    assert!(time(of_injection(costly)) > time(of_injection(watermark)), "{costly:?}");
}
