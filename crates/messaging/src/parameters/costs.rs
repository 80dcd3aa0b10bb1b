//! The costs of the message layer, in one table: what is checked, what software has to wait for, and what a message
//! costs by layer.

use super::{Layers, Parameters};

/// A cost of software.
pub(super) struct Cost {
    /// The key in a scenario.
    pub key: &'static str,
    /// The time in processor cycles.
    pub cycles: u32,
    /// Whether each chunk or byte costs it.
    pub is_of_part: bool,
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
        Cost { key, cycles, is_of_part: false, activity: Activity::Other, layer: None }
    }

    fn of_part(key: &'static str, cycles: u32) -> Self {
        Cost { is_of_part: true, ..Cost::new(key, cycles) }
    }

    fn of(self, activity: Activity) -> Self {
        Cost { activity, ..self }
    }

    fn in_layer(self, layer: Layer) -> Self {
        Cost { layer: Some(layer), ..self }
    }
}

impl Parameters {
    /// All costs. A new parameter has to be named here, whether or not it is one.
    pub(super) fn costs(&self) -> Vec<Cost> {
        use Activity::{NetworkCollective, Reading, Writing};
        use Layer::{Message, Mpi, Packet};
        let Parameters {
            write_processor_cycles: write,
            write_processor_cycles_per_chunk: write_chunk,
            read_processor_cycles: read,
            read_processor_cycles_per_chunk: read_chunk,
            eager_processor_cycles: eager,
            setup_processor_cycles: setup,
            dispatch_processor_cycles: dispatch,
            send_processor_cycles: send,
            receive_processor_cycles: receive,
            match_processor_cycles: matching,
            complete_processor_cycles: complete,
            copy_processor_cycles_per_chunk: copy_chunk,
            combine_processor_cycles_per_byte: combine_byte,
            noncontiguous_processor_cycles_per_block: block,
            realign_processor_cycles: realign,
            tree_write_processor_cycles: tree_write,
            tree_read_processor_cycles: tree_read,
            wire_processor_cycles: wire,
            call_processor_cycles: _, // by kind of call
            watermark,
            coprocessor,
            dma,
            partial_packets,
            protocol: _,
            rendezvous_from_bytes: _,
            message_credits: _,
            unexpected_limit_bytes: _,
            header_bytes: _,
            rendezvous_header_bytes: _,
            envelope_bytes: _,
            full_packets: _,
            alignment_bytes: _,
            send_offset_bytes,
            receive_offset_bytes,
            polling_interval_cycles: _,
            world_collectives: _,
            reads_while_computing: _,
        } = *self;
        let with_coprocessor = |cost: fn(&super::Coprocessor) -> u32| coprocessor.as_ref().map_or(0, cost);
        let with_dma = |cost: fn(&super::Dma) -> u32| dma.as_ref().map_or(0, cost);
        let interrupt = watermark.map_or(0, |watermark| watermark.interrupt_processor_cycles);
        let realign = Cost::new("messaging.realign_processor_cycles", realign);
        let copy_chunk = Cost::of_part("messaging.copy_processor_cycles_per_chunk", copy_chunk);
        vec![
            Cost::new(
                "messaging.descriptor_processor_cycles",
                with_dma(|dma| dma.descriptor_processor_cycles),
            ),
            Cost::new("messaging.interrupt_processor_cycles", with_dma(|dma| dma.interrupt_processor_cycles)),
            Cost::new("messaging.write_processor_cycles", write).of(Writing).in_layer(Packet),
            Cost::new("messaging.read_processor_cycles", read).of(Reading).in_layer(Packet),
            Cost::new("messaging.eager_processor_cycles", eager).of(Reading).in_layer(Packet),
            Cost::new("messaging.setup_processor_cycles", setup).of(Writing).in_layer(Packet),
            Cost::new("messaging.dispatch_processor_cycles", dispatch).of(Reading).in_layer(Packet),
            Cost::new("messaging.send_processor_cycles", send).of(Writing).in_layer(Message),
            Cost::new("messaging.receive_processor_cycles", receive).of(Reading).in_layer(Message),
            Cost::new("messaging.match_processor_cycles", matching).of(Reading).in_layer(Mpi),
            Cost::new("messaging.complete_processor_cycles", complete).of(Reading).in_layer(Mpi),
            Cost::new("messaging.noncontiguous_processor_cycles_per_block", block),
            match send_offset_bytes == receive_offset_bytes {
                true => realign,
                false => realign.of(Reading).in_layer(Packet),
            },
            Cost::new("messaging.tree_write_processor_cycles", tree_write).of(NetworkCollective),
            Cost::new("messaging.tree_read_processor_cycles", tree_read).of(NetworkCollective),
            Cost::new("messaging.wire_processor_cycles", wire).of(NetworkCollective),
            Cost::new("messaging.interrupt_processor_cycles", interrupt),
            Cost::new(
                "messaging.handover_processor_cycles",
                with_coprocessor(|coprocessor| coprocessor.handover_processor_cycles),
            ),
            Cost::of_part("messaging.write_processor_cycles_per_chunk", write_chunk)
                .of(Writing)
                .in_layer(Packet),
            Cost::of_part("messaging.read_processor_cycles_per_chunk", read_chunk)
                .of(Reading)
                .in_layer(Packet),
            match partial_packets {
                true => copy_chunk,
                false => copy_chunk.of(Reading).in_layer(Packet),
            },
            Cost::of_part("messaging.combine_processor_cycles_per_byte", combine_byte),
            Cost::of_part(
                "messaging.scratchpad_processor_cycles_per_chunk",
                with_coprocessor(|coprocessor| {
                    coprocessor.scratchpad_processor_cycles_per_chunk.unwrap_or(0)
                }),
            ),
            Cost::of_part(
                "messaging.flush_processor_cycles_per_chunk",
                with_coprocessor(|coprocessor| coprocessor.flush_processor_cycles_per_chunk),
            ),
            Cost::of_part(
                "machine.dma.processor_cycles_per_chunk",
                with_dma(|dma| dma.processor_cycles_per_chunk),
            ),
        ]
    }

    /// Whether an activity takes a core no time, in which nothing else moves packets for it.
    pub(super) fn is_free(&self, activity: Activity) -> bool {
        self.costs().iter().all(|cost| cost.activity != activity || cost.cycles == 0)
    }

    /// Processor cycles that a message of one packet of `chunks` chunks costs on its way, by layer, without calls.
    pub(super) fn layers_without_calls(&self, chunks: u8) -> Layers {
        let mut layers = Layers::default();
        for Cost { cycles, is_of_part, layer, .. } in self.costs() {
            let sum = match layer {
                Some(Layer::Packet) => &mut layers.packet,
                Some(Layer::Message) => &mut layers.message,
                Some(Layer::Mpi) => &mut layers.mpi,
                None => continue,
            };
            *sum += u64::from(cycles) * if is_of_part { chunks.into() } else { 1 };
        }
        layers
    }
}
