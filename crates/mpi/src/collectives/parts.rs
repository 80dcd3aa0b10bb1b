//! Collectives by named algorithms, in parts that progress independently of one another.
//!
//! ```text
//!   data    |---- color 0 ----|---- color 1 ----|     a color takes directions or trees of its own
//!           | s0 | s1 | s2 | ..                       its segments go one after the other, some at a time: lanes
//!
//!   part    lane 0 of color 0:  s0, s8, ...           each has its own rounds, and its own messages
//!
//!   part    stage 0 of color 0: s0, s1, s2, s3        those of `bucket`: a segment is in a stage when it has left that
//!           stage 1 of color 0:     s0, s1, s2        before it ([`pipeline`](super::pipeline))
//! ```
//!
//! A collective whose algorithm is not named has one part.

use super::algorithm::{Algorithm, Colors, Halves, Messages, Operation, Tuning};
use super::bucket::Bucket;
use super::cycle::Cycle;
use super::deposit::{DownLines, InOrder, Trees, WithinNode};
use super::direct::Direct;
use super::forest::{DownForest, Tree};
use super::grid::orders::Orders;
use super::hypercube::Hypercube;
use super::pairwise::Pairwise;
use super::pipeline::Pipeline;
use super::rectangle::Rectangle;
use super::red_blue::RedBlue;
use super::scattered::Scattered;
use super::schedule::{Around, Chain, Group, Rooted, Schedule, Sizes, Step, Then};
use super::swing::Swing;
use super::*;
use std::ops::Range;
use std::rc::Rc;

/// Segments of a color that are under way at a time.
const LANES: u32 = 8;

/// More channels than a collective has parts.
const SHARED_CHANNEL: u32 = 511;

impl Tuning {
    /// The most bytes of a broadcast among `ranks` ranks that one of its messages has.
    pub fn longest_of_broadcast(&self, collective: &Collective, ranks: u32) -> u64 {
        let group = Group { rank: 0, size: ranks };
        Part::new(collective, self, group, 0).longest_bytes()
    }

    /// The longest message of a collective among `ranks` ranks, or more than that if all of its data fit in one.
    /// Ranks at which trees, folds and rings begin and end are representative of all.
    pub fn longest_message(&self, collective: &Collective, ranks: u32) -> u64 {
        let root = collective.root().unwrap_or(0);
        let places = [0, 1, ranks / 2, 1 << (ranks.max(1).ilog2()), ranks.saturating_sub(1)];
        let groups =
            places.map(|place| Group { rank: (root + place % ranks.max(1)) % ranks.max(1), size: ranks });
        groups.into_iter().map(|group| self.longest_of_rank(collective, group)).max().unwrap_or(0)
    }

    /// The longest message of one rank, or more than that if all of its data fit in one.
    pub(super) fn longest_of_rank(&self, collective: &Collective, group: Group) -> u64 {
        let all = collective.cut_bytes(group.size);
        if all <= MAX_MESSAGE_BYTES {
            return all;
        }
        let first = Part::new(collective, self, group, 0);
        if first.is_segmented() {
            return first.longest_bytes();
        }
        let of_part = |number: u32| {
            let part = Part::new(collective, self, group, number);
            part.actions(0..part.rounds()).map(|action| action.bytes_sent()).max()
        };
        (0..Part::count(collective, self, group)).filter_map(of_part).max().unwrap_or(0)
    }

    /// The name of the algorithm that carries out a collective among `ranks` ranks, MPICH2's included.
    pub fn name_of(&self, collective: &Collective, ranks: u32) -> &'static str {
        if self.algorithm == Algorithm::Auto {
            return collective.visit(Group { rank: 0, size: ranks }, |_, _, name| name);
        }
        self.algorithm.name()
    }

    /// The rounds of a collective among `ranks` ranks, in the part and at the rank that have most.
    pub fn rounds(&self, collective: &Collective, ranks: u32) -> u32 {
        let of_rank = |rank: u32| {
            let group = Group { rank, size: ranks };
            let part = move |number| Part::new(collective, self, group, number);
            let Some(pipeline) = part(0).pipeline() else {
                return (0..Part::count(collective, self, group)).map(|number| part(number).rounds()).max();
            };
            let colors = (0..Part::count(collective, self, group)).step_by(pipeline.parts() as usize);
            colors
                .map(|first| {
                    let stages = (0..pipeline.stages()).map(|stage| part(first + pipeline.part(stage, 0)));
                    let rounds: Vec<u32> = stages.map(|part| part.rounds_of_segment()).collect();
                    let max = rounds.iter().max().unwrap_or(&0);
                    rounds.iter().sum::<u32>() + (pipeline.segments - 1) * max
                })
                .max()
        };
        (0..ranks).filter_map(of_rank).max().unwrap_or(0)
    }
}

/// Part `number` of a rank's part of a collective.
#[derive(Clone)]
pub(crate) struct Part<'a> {
    pub collective: &'a Collective,
    pub tuning: &'a Tuning,
    pub group: Group,
    pub number: u32,
    /// The stages of its color, if it has any: nearly all questions need them.
    staged: Option<Staged>,
}

/// The way of colors through stages: their orders of dimensions, how data are cut, and the parts.
#[derive(Clone)]
struct Staged {
    orders: Rc<Orders>,
    cut: Cut,
    pipeline: Pipeline,
}

/// A round of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// The number of the round.
    pub number: u32,
    /// The channel of the round's messages, which match those of the same channel only.
    pub channel: u32,
    /// The event that the round waits for before it begins; its steps are not known then.
    pub held: Option<Held>,
    /// The first steps: most rounds have no others, and a schedule is visited once for all of them.
    first: [Option<Action>; AT_ONCE],
    /// The number of steps that have been looked at.
    known: u32,
}

/// The reason why a round waits for more than the round before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// All parts together have to receive more messages.
    ByMessages,
    /// The part before it has to end more rounds.
    ByPart,
}

/// The progress of the parts of a collective.
pub(crate) trait Progressed {
    /// Messages that all parts together have received.
    fn received(&self) -> u32;

    /// Rounds that a part has ended.
    fn ended(&self, part: u32) -> u32;
}

/// One more than the steps of a round of most algorithms: a send and a receive.
const AT_ONCE: usize = 3;

/// The number of colors, and of the segments of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cut {
    colors: u32,
    segments: u32,
}

impl Cut {
    fn lanes(&self) -> u32 {
        self.segments.min(LANES)
    }
}

impl Staged {
    /// The stages of a collective among `ranks` ranks, or none if its algorithm has none.
    fn of(collective: &Collective, tuning: &Tuning, ranks: u32) -> Option<Self> {
        let grid = tuning.grid.as_ref().filter(|_| tuning.algorithm.is_staged())?;
        let halves = halves_of(collective);
        let orders = Orders::of(grid, tuning.directions, halves == Halves::Both);
        let segments = match tuning.segment_bytes {
            0 => 1,
            segment => orders.longest_message(collective.cut_bytes(ranks)).div_ceil(segment),
        };
        let cut = Cut { colors: orders.count() * orders.senses, segments: few(segments) };
        let (scatters, gathers) = halves.present();
        // A grid of one rank has a stage without rounds.
        let halves = [scatters, gathers].map(|has_half| if has_half { orders.stages().max(1) } else { 0 });
        let pipeline = Pipeline { halves, outer: orders.outer_stages(), segments: cut.segments };
        Some(Staged { orders, cut, pipeline })
    }
}

/// The halves of an operation, for algorithms that suit only operations that have some.
fn halves_of(collective: &Collective) -> Halves {
    collective.operation().halves().expect("the algorithm suits the operation")
}

impl<'a> Part<'a> {
    pub fn new(collective: &'a Collective, tuning: &'a Tuning, group: Group, number: u32) -> Self {
        let staged = Staged::of(collective, tuning, group.size);
        Part { collective, tuning, group, number, staged }
    }

    /// The parts of a collective.
    pub fn count(collective: &Collective, tuning: &Tuning, group: Group) -> u32 {
        use Colors::*;
        match tuning.algorithm.colors() {
            Targets => Direct::parts(group),
            TargetLines => two_phase::WINDOW + two_phase::RECEIVES,
            One | Ways | Stages | Together | TwoTrees | Trees | Lines => {
                let part = Part::new(collective, tuning, group, 0);
                let cut = part.cut();
                match part.pipeline() {
                    Some(pipeline) => cut.colors * pipeline.parts(),
                    None if tuning.algorithm.is_together() => cut.lanes(),
                    None => cut.colors * cut.lanes(),
                }
            }
        }
    }

    /// Number of rounds.
    pub fn rounds(&self) -> u32 {
        if self.tuning.algorithm == Algorithm::Auto {
            return self.collective.visit(self.group, |schedule, _, _| schedule.rounds());
        }
        self.rounds_of_segment() * self.turns()
    }

    /// Number of rounds of each turn.
    pub fn rounds_of_segment(&self) -> u32 {
        if self.tuning.algorithm == Algorithm::Auto {
            return self.rounds();
        }
        self.visit_segment(self.color(self.cut()), 0, |schedule, _| schedule.rounds())
    }

    /// The number of segments that the part processes, one after the other.
    pub fn turns(&self) -> u32 {
        if self.tuning.algorithm == Algorithm::Auto { 1 } else { self.segments(self.cut()) }
    }

    /// The stages and lanes of each color, if it goes through stages.
    pub fn pipeline(&self) -> Option<Pipeline> {
        self.staged.as_ref().map(|staged| staged.pipeline)
    }

    /// The part's number among the parts of its color.
    fn place(&self, pipeline: &Pipeline) -> u32 {
        self.number % pipeline.parts()
    }

    /// The stage of the part, if its color goes through stages.
    pub fn stage(&self) -> Option<u32> {
        self.pipeline().map(|pipeline| pipeline.stage(self.place(&pipeline)))
    }

    /// The part that processes a segment of its color in a stage.
    fn in_stage(&self, pipeline: &Pipeline, stage: u32, segment: u32) -> Self {
        let first = self.number - self.place(pipeline);
        Part { number: first + pipeline.part(stage, segment), staged: self.staged.clone(), ..*self }
    }

    /// The part whose next round may have waited for round `ended - 1` of this one.
    pub fn follower(&self, ended: u32) -> Option<u32> {
        let pipeline = self.pipeline()?;
        let (place, rounds) = (self.place(&pipeline), self.rounds_of_segment());
        let turn = ended.checked_div(rounds)?.checked_sub(1).filter(|_| ended.is_multiple_of(rounds))?;
        let segment = pipeline.segment(place, turn);
        let after = pipeline.stage(place) + 1..pipeline.stages();
        after
            .map(|stage| self.in_stage(&pipeline, stage, segment))
            .find(Part::has_rounds)
            .map(|part| part.number)
    }

    /// Whether the part has rounds: rings of one rank on a twisted torus have none.
    fn has_rounds(&self) -> bool {
        self.rounds_of_segment() > 0
    }

    /// The steps of some rounds.
    pub fn actions(&self, rounds: Range<u32>) -> impl Iterator<Item = Action> + use<'a, '_> {
        rounds.flat_map(move |round| (0..).map_while(move |index| self.step(round, index)))
    }

    /// Step `index` of a round, or none after its last.
    pub fn step(&self, round: u32, index: u32) -> Option<Action> {
        let cut = self.cut();
        let (color, index) = self.color_of(cut, index);
        self.visit(cut, color, round, |schedule, sizes, round| action(schedule, sizes, (round, index)))
    }

    /// Step `index` of a round that has been looked at.
    pub fn step_of(&self, round: &Round, index: u32) -> Option<Action> {
        match index < round.known {
            true => round.first[index as usize],
            false => self.step(round.number, index),
        }
    }

    /// A round, or none after the last, once all parts have progressed far enough.
    pub fn round(&self, number: u32, progress: &impl Progressed) -> Option<Round> {
        if let Some(direct) = self.uncut() {
            return self.round_of(&direct, &self.each(), (number, number), progress);
        }
        let cut = self.cut();
        self.visit(cut, self.color(cut), number, |schedule, sizes, round| {
            self.round_of(schedule, sizes, (number, round), progress)
        })
    }

    /// Whether the stage before has ended all rounds of the segment that a round of this part processes.
    fn is_released(&self, round: u32, progress: &impl Progressed) -> bool {
        let Some(pipeline) = self.pipeline() else { return true };
        let place = self.place(&pipeline);
        let turn = round.checked_div(self.rounds_of_segment()).unwrap_or(0);
        let segment = pipeline.segment(place, turn);
        let mut before = (0..pipeline.stage(place)).rev();
        let part = |stage| (stage, self.in_stage(&pipeline, stage, segment));
        let Some((stage, before)) =
            before.find_map(|stage| Some(part(stage)).filter(|(_, part)| part.has_rounds()))
        else {
            return true;
        };
        let turns = pipeline.turn(stage, segment) + 1;
        segment >= pipeline.segments || progress.ended(before.number) >= turns * before.rounds_of_segment()
    }

    /// A round of the part, which may have another number in its schedule.
    #[inline]
    fn round_of<S: Schedule + ?Sized>(
        &self,
        schedule: &S,
        sizes: &Sizes<'_>,
        (number, round): (u32, u32),
        progress: &impl Progressed,
    ) -> Option<Round> {
        if round >= schedule.rounds() {
            return None;
        }
        let channel = if schedule.is_shared(round) { SHARED_CHANNEL } else { self.number };
        let held = match () {
            () if progress.received() < schedule.received_before(round) => Some(Held::ByMessages),
            () if !self.is_released(number, progress) => Some(Held::ByPart),
            () => None,
        };
        let mut first = [None; AT_ONCE];
        if held.is_none() && !self.tuning.algorithm.is_together() {
            for (index, place) in (0..).zip(&mut first) {
                *place = action(schedule, sizes, (round, index));
                if place.is_none() {
                    break;
                }
            }
        }
        let known = if self.tuning.algorithm.is_together() { 0 } else { AT_ONCE as u32 };
        Some(Round { number, channel, held, first, known })
    }

    /// The schedule of parts that are places in a window of targets. Nothing is cut, and each message has a round.
    fn uncut(&self) -> Option<Direct> {
        match self.tuning.algorithm.colors() {
            Colors::Targets => Some(self.direct()),
            Colors::One
            | Colors::Ways
            | Colors::Stages
            | Colors::Together
            | Colors::TwoTrees
            | Colors::Trees
            | Colors::Lines
            | Colors::TargetLines => None,
        }
    }

    fn direct(&self) -> Direct {
        Direct { group: self.group, part: self.number, seed: self.tuning.seed }
    }

    /// The rounds of a time in which all ranks are together, if each round takes as long. Where there are several
    /// segments, these are the rounds of a segment in a stage. The same holds for open lines, at whose ends ranks
    /// send more often than they receive.
    pub fn rounds_at(&self, time: u32) -> Range<u32> {
        let (mut turn, mut rounds) = (Some(time), 1);
        if let Some(pipeline) = self.pipeline() {
            let place = self.place(&pipeline);
            let stage = pipeline.stage(place);
            if self.has_long_times() {
                let segment = time.checked_sub(stage).filter(|&segment| segment < pipeline.segments);
                let own = segment.filter(|&segment| pipeline.part(stage, segment) == place);
                (turn, rounds) = (own.map(|segment| pipeline.turn(stage, segment)), self.rounds_of_segment());
            } else {
                let before = (0..stage).map(|stage| self.in_stage(&pipeline, stage, 0).rounds()).sum();
                turn = time.checked_sub(before);
            }
        }
        let first = turn.map_or(u32::MAX, |turn| turn * rounds);
        if first < self.rounds() { first..first + rounds } else { 0..0 }
    }

    /// The number of such times.
    pub fn times(&self) -> u32 {
        match self.pipeline() {
            None => self.rounds(),
            Some(pipeline) if self.has_long_times() => pipeline.segments + pipeline.stages() - 1,
            Some(pipeline) => {
                (0..pipeline.stages()).map(|stage| self.in_stage(&pipeline, stage, 0).rounds()).sum()
            }
        }
    }

    fn has_long_times(&self) -> bool {
        self.staged.as_ref().is_some_and(|Staged { cut, orders, .. }| cut.segments > 1 || orders.has_lines())
    }

    /// Whether what the rank sends in a round waits for what it receives in earlier rounds.
    pub fn sends_wait(&self) -> bool {
        let cut = self.cut();
        self.visit(cut, self.color(cut), 0, |schedule, _, _| schedule.sends_wait())
    }

    /// The color of step `index` of a round, and the step's index in that color.
    fn color_of(&self, cut: Cut, index: u32) -> (u32, u32) {
        if self.tuning.algorithm.is_together() {
            (index % cut.colors, index / cut.colors)
        } else {
            (self.color(cut), index)
        }
    }

    /// Visits the schedule of a round, with the lengths of the blocks that it names, and the round's number in it.
    /// After the last round comes the one that the schedule of the last segment does not have.
    fn visit<R>(
        &self,
        cut: Cut,
        color: u32,
        round: u32,
        look: impl FnOnce(&dyn Schedule, &Sizes<'_>, u32) -> R,
    ) -> R {
        if self.tuning.algorithm == Algorithm::Auto {
            return self.collective.visit(self.group, |schedule, sizes, _| look(schedule, sizes, round));
        }
        if let Some(direct) = self.uncut() {
            return look(&direct, &self.each(), round);
        }
        let (turn, round) = self.turn(cut, color, round);
        let bytes = self.piece(cut, color, self.segment(cut, turn));
        self.visit_segment(color, bytes, |schedule, sizes| look(schedule, sizes, round))
    }

    /// The bytes of a segment of a color.
    fn piece(&self, cut: Cut, color: u32, segment: u32) -> u64 {
        let (bytes, segments) = (self.bytes(), cut.segments);
        let Some(Staged { orders, .. }) = &self.staged else {
            return share(bytes, color * segments + segment, cut.colors * segments);
        };
        let (order, sense) = (color % orders.count(), color / orders.count());
        let of_order = orders.before(bytes, order as usize + 1) - orders.before(bytes, order as usize);
        share(of_order, sense * segments + segment, orders.senses * segments)
    }

    /// The segment that the part processes in a round, as a turn, and the round's number in that.
    fn turn(&self, cut: Cut, color: u32, round: u32) -> (u32, u32) {
        let segments = self.segments(cut);
        if segments == 1 {
            return (0, round);
        }
        let rounds = self.visit_segment(color, 0, |schedule, _| schedule.rounds());
        match round.checked_div(rounds) {
            Some(turn) if turn < segments => (turn, round % rounds),
            _ => (segments - 1, rounds),
        }
    }

    fn color(&self, cut: Cut) -> u32 {
        match self.pipeline() {
            Some(pipeline) => self.number / pipeline.parts(),
            None if self.tuning.algorithm.is_window() => 0,
            None => self.number / cut.lanes(),
        }
    }

    /// The segment that the part processes in its `turn`-th turn.
    fn segment(&self, cut: Cut, turn: u32) -> u32 {
        match self.pipeline() {
            Some(pipeline) => pipeline.segment(self.place(&pipeline), turn),
            None if self.tuning.algorithm.is_window() => 0,
            None => self.number % cut.lanes() + turn * cut.lanes(),
        }
    }

    /// The number of segments that the part processes.
    fn segments(&self, cut: Cut) -> u32 {
        match self.pipeline() {
            Some(pipeline) => pipeline.turns(self.place(&pipeline)),
            None if self.tuning.algorithm.is_window() => 1,
            None => (cut.segments - self.number % cut.lanes()).div_ceil(cut.lanes()),
        }
    }

    /// Bytes of all data that are cut.
    fn bytes(&self) -> u64 {
        self.collective.cut_bytes(self.group.size)
    }

    /// The longest of its messages that has all data of a color.
    fn longest_bytes(&self) -> u64 {
        let Cut { colors, segments } = self.cut();
        self.bytes().div_ceil((colors * segments).into())
    }

    /// Whether its data are cut into segments, which may be millions.
    fn is_segmented(&self) -> bool {
        self.tuning.algorithm != Algorithm::Auto && self.cut().segments > 1
    }

    /// The grid whose dimensions the colors begin with.
    fn grid(&self) -> Option<Grid> {
        let grid = self.tuning.grid?;
        Some(if self.tuning.algorithm.deposits() { grid.of_nodes() } else { grid })
    }

    /// Dimensions of the grid with more than one rank.
    fn dimensions(&self) -> u32 {
        self.grid().map_or(1, |grid| grid.long().1.max(1) as u32)
    }

    fn cut(&self) -> Cut {
        if self.tuning.algorithm.is_window() {
            return Cut { colors: 1, segments: 1 };
        }
        if let Some(staged) = &self.staged {
            return staged.cut;
        }
        let both = self.tuning.directions.count();
        let segment = self.tuning.segment_bytes;
        let colors = match self.tuning.algorithm.colors() {
            Colors::Ways => both,
            Colors::Together | Colors::Trees => both * self.dimensions(),
            Colors::TwoTrees => 2,
            Colors::Lines => match self.grid().map(|grid| Trees::on(&grid)) {
                Some(Trees::Rectangle) => both * self.dimensions(),
                Some(Trees::RedBlue) => 2,
                Some(Trees::InOrder) | None => 1,
            },
            Colors::One | Colors::Stages | Colors::Targets | Colors::TargetLines => 1,
        };
        if segment == 0 || !self.tuning.algorithm.has_segments(self.collective.operation()) {
            return Cut { colors, segments: 1 };
        }
        let longest = self.bytes().div_ceil(u64::from(colors) * u64::from(self.messages()));
        Cut { colors, segments: few(longest.div_ceil(segment)) }
    }

    /// The number of longest messages into which the data of a color are cut.
    fn messages(&self) -> u32 {
        let ranks = self.group.size;
        let whole = match self.tuning.algorithm.messages() {
            Messages::One => 1,
            Messages::Two => 2,
            Messages::PerRank => ranks,
        };
        whole.min(ranks)
    }

    /// Visits the schedule of a color for a segment of `bytes` bytes.
    fn visit_segment<R>(
        &self,
        color: u32,
        bytes: u64,
        look: impl FnOnce(&dyn Schedule, &Sizes<'_>) -> R,
    ) -> R {
        let Part { group: group @ Group { rank, .. }, tuning: Tuning { algorithm, seed, .. }, .. } = *self;
        let whole = Sizes::whole(bytes);
        let blocks = Sizes::Even { bytes, parts: group.size, block: bytes.div_ceil(u64::from(group.size)) };
        match algorithm {
            Algorithm::Auto => unreachable!("it has one part"),
            Algorithm::Ring => self.visit_ring(color, &blocks, look),
            Algorithm::Bucket => look(&self.bucket(color), &blocks),
            Algorithm::Swing => look(&self.swing(color), &blocks),
            Algorithm::HalvingDoubling => self.visit_halving(bytes, &blocks, look),
            Algorithm::RecursiveDoubling if self.collective.operation().is_exchange() => {
                look(&Hypercube(group), &self.each())
            }
            Algorithm::RecursiveDoubling => look(&doubling_allreduce(group), &whole),
            Algorithm::Direct => look(&self.direct(), &self.each()),
            Algorithm::TwoPhase => {
                let (grid, place) = (self.ranks(), self.number);
                look(&two_phase::TwoPhase { grid, rank, place, seed: *seed }, &self.each())
            }
            Algorithm::Pairwise => look(&Pairwise { group, then: Then::Keep }, &self.each()),
            Algorithm::Bruck => look(&bruck::Alltoall(group), &self.each()),
            Algorithm::PostAndWait => {
                let (sent, received) =
                    self.collective.exchanged().unwrap_or_else(|| (self.each(), self.each()));
                look(&Scattered { group, batch: u32::MAX, sent, received }, &sent)
            }
            Algorithm::Binomial => self.visit_binomial(bytes, &blocks, look),
            Algorithm::ScatterAllgather => look(&scatter_and_ring(group, self.root()), &blocks),
            Algorithm::RedBlue => {
                look(&DownForest { rank, tree: self.red_blue(self.ranks(), self.root(), color) }, &whole)
            }
            Algorithm::Rectangle => {
                look(&DownForest { rank, tree: self.rectangle(self.ranks(), self.root(), color) }, &whole)
            }
            Algorithm::Deposit => self.visit_lines(color, |schedule| look(schedule, &whole)),
            Algorithm::Dissemination => look(&Dissemination(group), &Sizes::whole(0)),
            Algorithm::TreeNetwork | Algorithm::Interrupts => {
                look(&on_network::OnNetwork::of(self.collective, group), &Sizes::whole(0))
            }
        }
    }

    /// The block for each rank of an alltoall, all of one length.
    fn each(&self) -> Sizes<'static> {
        let ranks = self.group.size;
        let bytes = match self.collective.data() {
            Data::Blocks(bytes) => bytes,
            Data::Shared(_) | Data::Vector(_) | Data::Uncut(_) | Data::Listed(_) => {
                self.bytes() / u64::from(ranks)
            }
        };
        Sizes::each(bytes, ranks)
    }

    fn root(&self) -> u32 {
        self.collective.root().unwrap_or(0)
    }

    fn halves(&self) -> Halves {
        halves_of(self.collective)
    }

    fn visit_ring<R>(
        &self,
        color: u32,
        blocks: &Sizes<'_>,
        look: impl FnOnce(&dyn Schedule, &Sizes<'_>) -> R,
    ) -> R {
        let cycle = self.cycle(color);
        let group = Group { rank: cycle.place(self.group.rank), ..self.group };
        let both = Chain(ring::ReduceScatter(group), ring::Allgather(group));
        let schedule: &dyn Schedule = match self.halves() {
            Halves::Scatters => &both.0,
            Halves::Gathers => &both.1,
            Halves::Both => &both,
        };
        look(&Around { cycle, schedule }, blocks)
    }

    /// The order in which the ring of a color goes through the ranks.
    fn cycle(&self, color: u32) -> Cycle {
        let cycle = Cycle::new(self.tuning.grid, self.group.size);
        if color == 1 { cycle.mirrored() } else { cycle }
    }

    fn visit_halving<R>(
        &self,
        bytes: u64,
        blocks: &Sizes<'_>,
        look: impl FnOnce(&dyn Schedule, &Sizes<'_>) -> R,
    ) -> R {
        let group = self.group;
        match self.halves() {
            Halves::Both => look(&halving_allreduce(group), &cut(bytes, group.size)),
            Halves::Scatters => look(&halving_reduce_scatter(group), blocks),
            Halves::Gathers => look(&Doubling { group, gathers: true }, blocks),
        }
    }

    fn visit_binomial<R>(
        &self,
        bytes: u64,
        blocks: &Sizes<'_>,
        look: impl FnOnce(&dyn Schedule, &Sizes<'_>) -> R,
    ) -> R {
        let (root, size) = (self.root(), self.group.size);
        let group = self.group.relative_to(root);
        match self.collective.operation() {
            Operation::Broadcast => look(
                &Rooted { root, size, schedule: DownTree { group, scatters: false } },
                &Sizes::whole(bytes),
            ),
            Operation::Scatter => {
                look(&Rooted { root, size, schedule: DownTree { group, scatters: true } }, blocks)
            }
            Operation::Gather => {
                look(&Rooted { root, size, schedule: UpTree { group, gathers: true } }, blocks)
            }
            Operation::Reduce
            | Operation::AllReduce
            | Operation::ReduceScatter
            | Operation::AllGather
            | Operation::AllToAll
            | Operation::AllToAllV
            | Operation::Barrier
            | Operation::Other => {
                look(&Rooted { root, size, schedule: UpTree { group, gathers: false } }, &Sizes::whole(bytes))
            }
        }
    }

    /// The grid of all ranks.
    fn ranks(&self) -> Grid {
        self.tuning.grid.expect("an algorithm of grids has one")
    }

    /// The dimension with which a color begins, and whether it goes in plus direction.
    fn side(&self, color: u32) -> (usize, bool) {
        ((color % self.dimensions()) as usize, color < self.dimensions())
    }

    fn bucket(&self, color: u32) -> Bucket {
        let Staged { orders, pipeline, .. } = self.staged.clone().expect("a bucket goes through stages");
        let (grid, rank, (scatters, gathers)) = (self.ranks(), self.group.rank, self.halves().present());
        let (order, is_plus) = ((color % orders.count()) as usize, color < orders.count());
        let (stage, last) = (pipeline.stage(self.place(&pipeline)), pipeline.stages() - 1);
        let is_gathering = gathers && (!scatters || stage > last / 2);
        let stage = if is_gathering { last - stage } else { stage } as usize;
        Bucket { grid, orders, rank, order, is_plus, stage, is_gathering }
    }

    fn swing(&self, color: u32) -> Swing {
        let ((first, is_plus), (scatters, gathers)) = (self.side(color), self.halves().present());
        Swing { grid: self.ranks(), rank: self.group.rank, first, is_plus, scatters, gathers }
    }

    fn rectangle(&self, grid: Grid, root: u32, color: u32) -> Rectangle {
        let (first, is_plus) = self.side(color);
        Rectangle { grid, root, first, is_plus }
    }

    fn red_blue(&self, grid: Grid, root: u32, color: u32) -> RedBlue {
        RedBlue { grid, root, is_red: color == 0 }
    }

    fn visit_lines<R>(&self, color: u32, look: impl FnOnce(&dyn Schedule) -> R) -> R {
        let (rank, root, ranks) = (self.group.rank, self.root(), self.ranks());
        let grid = ranks.of_nodes();
        let nodes = grid.ranks() as u32;
        let [on_node, root_node] = [rank, root].map(|rank| rank % nodes);
        let tree: &dyn Tree = match Trees::on(&grid) {
            Trees::Rectangle => &self.rectangle(grid, root_node, color),
            Trees::RedBlue => &self.red_blue(grid, root_node, color),
            Trees::InOrder => &InOrder { grid, root: root_node },
        };
        let schedule = DownLines { rank: on_node, tree };
        look(&WithinNode { rank, root, nodes, cores: ranks.cores(), schedule })
    }
}

/// The bytes of one of several parts that are as equal as possible.
fn share(bytes: u64, number: u32, of: u32) -> u64 {
    let (number, of) = (u64::from(number), u64::from(of));
    let before = |number: u64| bytes / of * number + bytes % of * number / of;
    if of == 1 { bytes } else { before(number + 1) - before(number) }
}

/// A number of segments, as `u32`.
fn few(segments: u64) -> u32 {
    segments.clamp(1, u64::from(u32::MAX >> 8)) as u32
}

/// Step `index` of a round of a schedule, as the library performs it.
#[inline]
fn action<S: Schedule + ?Sized>(
    schedule: &S,
    sizes: &Sizes<'_>,
    (round, index): (u32, u32),
) -> Option<Action> {
    Some(match schedule.step(round, index)? {
        Step::Send { target, blocks } => Action::Send { target, bytes: sizes.bytes(blocks) },
        Step::Post { target, blocks } => Action::Post { target, bytes: sizes.bytes(blocks) },
        Step::Deposit { branch, blocks } => Action::Deposit { branch, bytes: sizes.bytes(blocks) },
        Step::Pass { target, blocks } => Action::Pass { target, bytes: sizes.bytes(blocks) },
        Step::Receive { source, then } => Action::Receive { source: Some(source), then },
        Step::ReceiveAny => Action::Receive { source: None, then: Then::Keep },
        Step::Copy(blocks) => Action::Copy { bytes: sizes.bytes(blocks) },
        Step::Join { turn } => Action::Join { turn },
        Step::Skip => Action::Skip,
    })
}

#[cfg(test)]
mod tests;
