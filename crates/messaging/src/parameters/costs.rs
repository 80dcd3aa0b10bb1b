//! The costs of the message layer, in one table: what is checked, what software has to wait for, and what a message
//! costs by layer.

use super::{Coprocessor, Dma, Layers, Parameters, Watermark};

/// A cost of software.
pub(super) struct Cost {
    /// The key in a scenario.
    pub key: &'static str,
    /// The time in processor cycles.
    pub cycles: u32,
    /// The activity that takes it.
    pub activity: Activity,
    /// The layer of a message of one packet that takes it, if any.
    layer: Option<Layer>,
}

/// The activity of a core that takes a cost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Activity {
    /// Writing packets. Unless that is free, packets do not enter infinite FIFOs at once.
    Writing,
    /// Reading packets. Unless that is free, reception FIFOs fill.
    Reading,
    /// Collectives on the tree network and by the global interrupts.
    NetworkCollective,
    /// Anything else.
    Other,
}

#[derive(Clone, Copy)]
enum Layer {
    Packet,
    Message,
    Mpi,
}

impl Cost {
    fn new(key: &'static str, cycles: u32) -> Self {
        Cost { key, cycles, activity: Activity::Other, layer: None }
    }

    /// Whether each chunk or byte costs it.
    pub fn is_of_part(&self) -> bool {
        self.key.ends_with("_per_chunk") || self.key.ends_with("_per_byte")
    }
}

/// Declares the parameters that are no costs, then the costs: the activity that takes a cost, and the layer, both only under
/// a condition where one is named.
macro_rules! costs {
    (
        others: $($other:ident)*;
        $($cost:ident: $activity:ident $(in $layer:ident)? $(if $condition:ident)?;)*
    ) => {
        impl Parameters {
            /// These parameters with the cost that belongs to each key, in processor cycles.
            #[must_use]
            pub fn with_costs(self, mut processor_cycles: impl FnMut(&'static str) -> u32) -> Self {
                Parameters { $($cost: processor_cycles(stringify!($cost)),)* $($other: self.$other,)* }
            }

            fn costs_of_cores(&self) -> impl Iterator<Item = Cost> {
                [$({
                    let cost = Cost::new(concat!("messaging.", stringify!($cost)), self.$cost);
                    let layer = None$(.or(Some(Layer::$layer)))?;
                    let applies = true $(&& self.$condition())?;
                    if applies { Cost { activity: Activity::$activity, layer, ..cost } } else { cost }
                }),*]
                .into_iter()
            }
        }
    };
}

costs! {
    others:
        call_processor_cycles // by kind of call
        watermark injection_watermark coprocessor dma // `costs_of_movers`
        transfer_start_cycles // no core is busy
        protocol rendezvous_from_bytes message_credits message_credit_pool unexpected_limit_bytes
        header_bytes rendezvous_header_bytes envelope_bytes full_packets partial_packets
        alignment_bytes send_offset_bytes receive_offset_bytes realign_processor_cycles_by_offset // `cost_of_shift`
        polling_interval_cycles world_collectives reads_while_computing;
    write_processor_cycles: Writing in Packet;
    write_processor_cycles_per_chunk: Writing in Packet;
    read_processor_cycles: Reading in Packet;
    read_processor_cycles_per_chunk: Reading in Packet;
    eager_processor_cycles: Reading in Packet;
    setup_processor_cycles: Writing in Packet;
    dispatch_processor_cycles: Reading in Packet;
    send_processor_cycles: Writing in Message;
    receive_processor_cycles: Reading in Message;
    match_processor_cycles: Reading in Mpi;
    complete_processor_cycles: Reading in Mpi;
    copy_processor_cycles_per_chunk: Reading in Packet if copies_packets;
    realign_processor_cycles: Reading in Packet if realigns_packets;
    combine_processor_cycles_per_byte: Other;
    noncontiguous_processor_cycles_per_block: Other;
    tree_write_processor_cycles: NetworkCollective;
    tree_read_processor_cycles: NetworkCollective;
    wire_processor_cycles: NetworkCollective;
}

impl Parameters {
    /// All costs but those of calls.
    pub(super) fn costs(&self) -> impl Iterator<Item = Cost> {
        self.costs_of_cores().chain([self.cost_of_shift()]).chain(self.costs_of_movers())
    }

    /// The cost of re-alignment that depends on the offset.
    fn cost_of_shift(&self) -> Cost {
        let cycles = self.realign_processor_cycles_by_offset.of(self.shift_bytes());
        let cost = Cost::new("messaging.realign_processor_cycles_by_offset", cycles);
        Cost { activity: Activity::Reading, layer: Some(Layer::Packet), ..cost }
    }

    /// The costs of co-processors, DMA engines and interrupts.
    fn costs_of_movers(&self) -> impl Iterator<Item = Cost> {
        let Coprocessor {
            scratchpad_processor_cycles_per_chunk: scratchpad,
            handover_processor_cycles: handover,
            flush_processor_cycles_per_chunk: flush,
        } = self.coprocessor.unwrap_or_default();
        let Dma {
            processor_cycles_per_chunk: dma_chunk,
            injection_fifo_descriptors: _,
            descriptor_processor_cycles: descriptor,
            interrupt_processor_cycles: of_dma,
        } = self.dma.unwrap_or_default();
        let Watermark { bytes: _, interrupt_processor_cycles: of_watermark } =
            self.watermark.or(self.injection_watermark).unwrap_or_default();
        [
            ("messaging.descriptor_processor_cycles", descriptor),
            ("messaging.interrupt_processor_cycles", of_dma.max(of_watermark)),
            ("messaging.handover_processor_cycles", handover),
            ("messaging.scratchpad_processor_cycles_per_chunk", scratchpad.unwrap_or(0)),
            ("messaging.flush_processor_cycles_per_chunk", flush),
            ("machine.dma.processor_cycles_per_chunk", dma_chunk),
        ]
        .into_iter()
        .map(|(key, cycles)| Cost::new(key, cycles))
    }

    /// Whether an activity takes a core no time, in which nothing else moves packets for it.
    pub(super) fn is_free(&self, activity: Activity) -> bool {
        self.costs().all(|cost| cost.activity != activity || cost.cycles == 0)
    }

    /// Processor cycles that a message of one packet of `chunks` chunks costs on its way, by layer, without calls.
    pub(super) fn layers_without_calls(&self, chunks: u8) -> Layers {
        let mut layers = Layers::default();
        for cost in self.costs() {
            let sum = match cost.layer {
                Some(Layer::Packet) => &mut layers.packet,
                Some(Layer::Message) => &mut layers.message,
                Some(Layer::Mpi) => &mut layers.mpi,
                None => continue,
            };
            *sum += u64::from(cost.cycles) * if cost.is_of_part() { chunks.into() } else { 1 };
        }
        layers
    }
}
