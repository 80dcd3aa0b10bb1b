//! The costs of the message layer: each is spent, and by the activity that its row in the table of costs names.

use crate::collective_networks::{machine, on};
use crate::support::{Listed, Run};
use messaging::{Activity, Parameters, Progress};
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
        Call::Wait { requests: Requests { first: 0, count: 1 }, needed: Needed::All },
        Call::Collective(Collective::Allreduce { bytes: 512 }),
        on(Algorithm::TreeNetwork, Collective::Allreduce { bytes: 512 }, None),
        on(Algorithm::Interrupts, Collective::Barrier, None),
    ]
}

#[test]
fn each_cost_takes_time() {
    let sizes = Parameters { alignment_bytes: 16, receive_offset_bytes: 5, ..Parameters::default() };
    let run = |parameters| {
        let mut machine = machine(&[4], 1);
        machine.parameters = parameters;
        let run = machine.run(1, &[u64::MAX], Listed::programs((0..4).map(calls).collect()));
        assert_eq!(run.progress, Progress::Finished);
        run
    };
    let end = |run: &Run| run.finished.iter().copied().max();
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
