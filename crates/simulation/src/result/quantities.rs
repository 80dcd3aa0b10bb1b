//! The quantities of a summary: their labels and formats on screens, and their labels on axes.

use Format::*;
use serde::Serialize;

/// The format of a quantity's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Format {
    /// A text as it is.
    Text,
    /// Texts, each in its own row.
    Lines,
    /// The cause of an outcome, with its packets or ranks.
    Cause,
    /// An integer.
    Count,
    /// A number with four significant digits.
    Number,
    /// A share, 0 to 1, in percent.
    Share,
    /// A percentage, 0 to 100.
    Percent,
    /// Network cycles, also in the machine's time.
    Cycles,
    /// Cycles of a node's processor.
    ProcessorCycles,
    /// Seconds, in a suitable unit.
    Duration,
    /// Bytes, mostly below a hundred.
    ByteCount,
    /// Bytes, in a suitable binary unit.
    Size,
    /// Bytes of packets in memory per node and cycle, also in the machine's time.
    BytesPerNode,
    /// Megabytes per second.
    MegabytesPerSecond,
    /// Packet-hops per second, in millions.
    Rate,
    /// The share of each direction.
    ByDirection,
    /// The count of each name.
    ByName,
    /// Whether the fluid engine's time is corrected for blocking.
    Correction,
}

/// A key of the summary.
#[derive(Debug, Serialize)]
pub struct Quantity {
    key: &'static str,
    /// Format and label of its row on a screen; none if the quantity is only in files.
    row: Option<(Format, &'static str)>,
    /// The label of an axis, with its unit; none if it follows from the key.
    axis: Option<&'static str>,
}

const fn shown(key: &'static str, format: Format, label: &'static str) -> Quantity {
    Quantity { key, row: Some((format, label)), axis: None }
}

const fn unshown(key: &'static str) -> Quantity {
    Quantity { key, row: None, axis: None }
}

impl Quantity {
    const fn on_axis(self, label: &'static str) -> Self {
        Quantity { axis: Some(label), ..self }
    }
}

/// Every key of a summary, in the order of the screen. The keys that the package adds are here too: the errors of
/// the fluid engine, and the figures that it computes from the time series.
pub const QUANTITIES: &[Quantity] = &[
    unshown("units"),
    shown("outcome", Text, "Outcome"),
    shown("outcome_detail", Cause, "Cause"),
    shown("steadiness", Text, "Steadiness"),
    shown("warnings", Lines, "Warnings"),
    shown("assumed_router", Text, "Assumed router"),
    shown("reproducible", Text, "Reproducible"),
    shown("seconds_simulated", Duration, "Simulated time").on_axis("simulated time (s)"),
    shown("cycles", Count, "Cycles").on_axis("time to completion (cycles)"),
    shown("measured_cycles", Count, "Cycles measured"),
    shown("extrapolated_cycles", Count, "Cycles of the whole, extrapolated"),
    shown("extrapolated_cycles_half_width", Count, "Half of their 95 % interval"),
    shown("extrapolated_seconds", Duration, "Time of the whole, extrapolated"),
    shown("sampled_share", Share, "Packets sampled"),
    shown("settled_cycles", Count, "Settled, by MSER-5, from cycle"),
    shown("fluid_kind", Text, "Kind of traffic"),
    shown("fluid_corrected", Correction, "Corrected for blocking"),
    shown("fluid_uncorrected_cycles", Count, "Cycles without the correction"),
    shown("fluid_error_median_percent", Percent, "Error against packets, median"),
    shown("fluid_error_worst_percent", Percent, "Error against packets, worst"),
    shown("fluid_error_cases", Count, "Measured cases of this kind"),
    shown("packets_injected", Count, "Packets injected"),
    shown("packets_delivered", Count, "Packets delivered"),
    shown("nodes_without_injection", Count, "Nodes that sent nothing"),
    shown("dead_nodes", Count, "Dead nodes"),
    shown("dead_links", Count, "Dead links"),
    shown("packets_relayed", Count, "Packets relayed"),
    shown("pairs_share_minimal", Share, "Pairs served on minimal routes")
        .on_axis("pairs on minimal routes (%)"),
    shown("pairs_share_around", Share, "Pairs served by other hint bits"),
    shown("pairs_share_dynamic_only", Share, "Pairs served by adaptive VCs only"),
    shown("pairs_share_relayed", Share, "Pairs served by a relay").on_axis("pairs served by a relay (%)"),
    shown("packet_hops", Count, "Packet hops"),
    shown("mean_hops", Number, "Hops of a packet, mean").on_axis("mean hops of a packet"),
    shown("offered_bytes_per_node_per_cycle", BytesPerNode, "Offered"),
    shown("accepted_bytes_per_node_per_cycle", BytesPerNode, "Accepted"),
    shown("percent_of_peak", Percent, "Percent of peak").on_axis("throughput (% of peak)"),
    shown("percent_of_peak_kind", Text, "Peak is set by"),
    shown("link_utilization_mean", Share, "Link utilization, mean").on_axis("link utilization (%)"),
    shown("link_utilization_by_direction", ByDirection, "Link utilization"),
    shown("payload_utilization", Share, "Payload utilization").on_axis("payload utilization (%)"),
    shown("token_stalls_by_dimension", ByName, "Stalls for tokens"),
    shown("latency_cycles_mean", Cycles, "Latency, mean").on_axis("mean packet latency (cycles)"),
    shown("latency_cycles_batch_half_width", Cycles, "Latency, half of its 95 % interval"),
    shown("latency_cycles_p99", Cycles, "Latency, 99th percentile")
        .on_axis("99th percentile of packet latency (cycles)"),
    shown("latency_cycles_max", Cycles, "Latency, maximum").on_axis("largest packet latency (cycles)"),
    shown("one_way_cycles_min", Cycles, "One way, minimum").on_axis("least one-way latency (cycles)"),
    shown("one_way_cycles_mean", Cycles, "One way, mean").on_axis("mean one-way latency (cycles)"),
    shown("mpi_operations", Count, "MPI operations"),
    shown("trace_format", Text, "Trace"),
    shown("trace_calls", ByName, "Calls in the trace"),
    shown("trace_compute_seconds", Duration, "Computation in the trace"),
    shown("trace_call_seconds", Duration, "Time inside its calls"),
    shown("iteration_processor_cycles", ProcessorCycles, "Iteration, mean"),
    shown("half_round_trip_processor_cycles", ProcessorCycles, "Half a round trip, mean"),
    shown("payload_bytes_per_processor_cycle", ByteCount, "Payload in a processor cycle"),
    shown("fifo_bytes_per_processor_cycle", ByteCount, "Bytes of FIFOs in a processor cycle"),
    shown("payload_share_of_links", Share, "Payload rate, of the links'"),
    shown("b_eff_megabytes_per_second", MegabytesPerSecond, "Effective bandwidth"),
    shown("b_eff_megabytes_per_second_per_rank", MegabytesPerSecond, "Effective bandwidth of a rank"),
    shown("b_eff_ring_megabytes_per_second", MegabytesPerSecond, "Of rings"),
    shown("b_eff_random_megabytes_per_second", MegabytesPerSecond, "Of random rings"),
    shown("b_eff_at_longest_megabytes_per_second", MegabytesPerSecond, "With the longest messages"),
    shown("algorithm", Text, "Algorithm"),
    shown("collective_cycles_mean", Cycles, "Collective, mean of ranks"),
    shown("collective_cycles_max", Cycles, "Collective, slowest rank"),
    shown("bound_cycles", Cycles, "Bound of a collective"),
    shown("algorithm_megabytes_per_second", MegabytesPerSecond, "Rate of the data"),
    shown("bus_megabytes_per_second", MegabytesPerSecond, "Rate of the bus"),
    shown("steps", Count, "Rounds"),
    shown("busiest_link_bytes", Size, "Bytes on the busiest link"),
    shown("tree_packets_injected", Count, "Packets written to the tree network"),
    shown("tree_packets_delivered", Count, "Packets received from the tree network"),
    shown("tree_packet_hops", Count, "Hops on the tree network"),
    shown("tree_stalls", Count, "Stalls of the tree network"),
    shown("tree_waits", Count, "Waits for the tree network"),
    shown("interrupt_barriers", Count, "Barriers by the global interrupts"),
    shown("longest_wait_cycles", Cycles, "Longest wait").on_axis("longest wait (cycles)"),
    shown("escape_share", Share, "Traffic on the escape VC").on_axis("hops on the escape VC (%)"),
    shown("link_frames", Count, "Frames sent"),
    shown("link_frames_corrupted", Count, "Frames corrupted"),
    shown("link_frames_sent_again", Count, "Frames retransmitted"),
    shown("link_errors_escaped", Count, "Errors undetected by checksums"),
    shown("packets_damaged", Count, "Packets damaged"),
    shown("injection_checksum", Text, "Checksum of injection"),
    shown("digest", Text, "Digest"),
    shown("operations_digest", Text, "Digest of operations"),
    shown("engine_seconds", Duration, "Engine time").on_axis("engine time (s)"),
    shown("wall_seconds", Duration, "Wall time"),
    shown("packet_hops_per_second", Rate, "Speed").on_axis("speed of the simulation (million packet-hops/s)"),
    shown("peak_memory_bytes", Size, "Memory of the simulation").on_axis("memory of the simulation (MiB)"),
    shown("process_peak_memory_bytes", Size, "Memory of the process"),
    unshown("name"),
    unshown("workload"),
    unshown("shape"),
    unshown("nodes"),
    unshown("links"),
    unshown("seed"),
    unshown("sampled_from_cycle"),
    unshown("sampled_packets_per_cycle"),
    unshown("sampled_packets_per_cycle_half_width"),
    unshown("packets_delivered_total"),
    unshown("packet_hops_total"),
    unshown("offered_gigabytes_per_second"),
    unshown("accepted_gigabytes_per_second"),
    unshown("latency_ns_mean"),
    unshown("latency_ns_p99"),
    unshown("token_stalls"),
    unshown("mpi_operations_per_second"),
    unshown("latency_share_by_layer"),
    unshown("collective_cycles_min"),
    unshown("link_timeouts"),
    unshown("link_acks"),
    unshown("link_acks_lost"),
    unshown("link_probes"),
    unshown("link_checksums_differ"),
    unshown("engine"),
    unshown("threads"),
    unshown("processes"),
];

/// Whether all keys of a summary are declared above.
pub(super) fn are_declared(summary: &serde_json::Value) -> bool {
    let keys = summary.as_object().into_iter().flat_map(serde_json::Map::keys);
    keys.into_iter().all(|key| QUANTITIES.iter().any(|quantity| quantity.key == key))
}
