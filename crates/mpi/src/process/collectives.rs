//! Collectives, of which several may be in progress, and communicators, which collectives make.

use super::{After, Awaited, NetworkStep, Now, Outgoing, Process};
use crate::Status;
use crate::call::{Member, Mode, Room};
use crate::collectives::parts::Held;
use crate::collectives::schedule::Then;
use crate::collectives::{Action, Collective, Tuning};
use crate::communicators::{MAX_DEFINED_IDS, MAX_IDS, Members, WORLD, agreed, ids_at_once};
use crate::in_progress::{Agreement, InProgress, POSTED, Progress, What};
use crate::layout::Layout;
use crate::matching::{Context, Owner, Selector};
use crate::ordering::Label;
use crate::requests::Request;
use messaging::{Line, Operation, RouteName};

impl Process {
    pub(super) fn collect(
        &mut self,
        collective: Collective,
        tuning: Tuning,
        communicator: u32,
        request: Option<u32>,
        now: &mut Now<'_>,
    ) {
        let checked = now.costs.selection.checked(&collective, (&self.communicators, communicator), tuning);
        let tuning = checked.unwrap_or_else(|fault| panic!("rank {}: {collective}: {fault}", self.rank));
        let number = self.communicators.begin_collective(communicator);
        let tag = collective.tag(number);
        self.begin_collective(What::Collective(collective, tuning), communicator, request, tag, now);
    }

    pub(super) fn create(
        &mut self,
        communicator: u32,
        (members, order): (Option<Members>, u32),
        new: u32,
        now: &mut Now<'_>,
    ) {
        let fault = self.communicators.fault(communicator, members.as_ref(), new);
        assert!(fault.is_none(), "rank {}: MPI_Comm_create: {}", self.rank, fault.unwrap_or_default());
        let number = self.communicators.begin_collective(communicator);
        let first = self.communicators.begin_agreement(communicator);
        let classes = now.costs.selection.networks.other_classes();
        let free = self.free_names(communicator, classes, first);
        let agreement = Agreement { members, new, order, first, classes, free };
        let tag = Collective::agreement_tag(number);
        self.begin_collective(What::Agreement(agreement), communicator, None, tag, now);
    }

    pub(super) fn define(&mut self, members: &Members, new: u32, id: u32, time: u64) {
        let fault = self.communicators.fault(WORLD, Some(members), new);
        assert!(fault.is_none(), "rank {}: {}", self.rank, fault.unwrap_or_default());
        assert!(id > 0 && id < MAX_DEFINED_IDS, "rank {}: {id} is no id of a communicator", self.rank);
        let group = self.communicators.create(WORLD, members, new, id, None);
        self.outcome.member = group.map(|group| Member { id, rank: group.rank, size: group.size });
        self.complete(self.calls, time, Status::default());
    }

    fn free_names(&self, communicator: u32, classes: u32, first: u32) -> u32 {
        let receiving = self.matcher.posted().map(|selector| selector.context.communicator);
        self.communicators.free_names(communicator, classes, first, receiving)
    }

    fn begin_collective(
        &mut self,
        what: What,
        communicator: u32,
        request: Option<u32>,
        tag: u32,
        now: &mut Now<'_>,
    ) {
        let key = self.next_collective;
        self.next_collective = key.wrapping_add(1);
        let owner = match request {
            Some(request) => {
                self.requests.begin(request, self.calls);
                Owner::Request(request)
            }
            None => {
                self.block(Awaited::Collective(key), now.time);
                Owner::Call
            }
        };
        let group = self.communicators.group(communicator);
        let collective = InProgress::new(key, what, communicator, group, owner, tag);
        let parts = collective.left as u16;
        self.collectives.push(collective);
        for part in 0..parts {
            // The part before it may have let it begin.
            let mut collectives = self.collectives.iter();
            if collectives.any(|collective| collective.key == key && !collective.has_begun(part)) {
                self.advance(key, part, now);
            }
        }
    }

    pub(super) fn place_of(&self, key: u32) -> usize {
        let place = self.collectives.iter().position(|collective| collective.key == key);
        place.expect("the collective is in progress")
    }

    /// Ends a step of a part of a collective, which may have received proposed ids.
    pub(super) fn end_step(&mut self, key: u32, part: u16, proposed: Option<u32>, now: &mut Now<'_>) {
        let place = self.place_of(key);
        let collective = &mut self.collectives[place];
        if part == POSTED {
            collective.posted -= 1;
            if collective.has_ended() {
                self.end_collective(place, now);
            }
            return;
        }
        if let Some(proposed) = proposed {
            collective.receive_proposal(proposed);
            collective.received += 1;
        }
        let held = if proposed.is_some() { collective.held.take() } else { None };
        let pending = &mut collective.parts[usize::from(part)].pending;
        *pending -= 1;
        let goes_on = *pending == 0;
        if let Some(held) = held {
            self.advance(key, held, now);
        }
        if goes_on {
            self.advance(key, part, now);
        }
    }

    /// Begins rounds of a part of a collective until one has steps that do not end at once, or none is left.
    fn advance(&mut self, key: u32, part: u16, now: &mut Now<'_>) {
        let place = self.place_of(key);
        let group = self.communicators.group(self.collectives[place].communicator);
        loop {
            if self.collectives[place].parts[usize::from(part)].pending > 0 {
                return;
            }
            // The older of two segments first.
            if let Some(next) = self.collectives[place].released(part.into(), group) {
                self.advance(key, next, now);
            }
            let collective = &mut self.collectives[place];
            let Some(round) = collective.next_round(part.into(), group) else {
                if self.begin_again(place) {
                    continue;
                }
                let collective = &mut self.collectives[place];
                collective.left -= 1;
                if collective.has_ended() {
                    self.end_collective(place, now);
                }
                return;
            };
            match round.held {
                None => {}
                Some(Held::ByMessages) => {
                    collective.held = Some(part);
                    return;
                }
                Some(Held::ByPart) => return,
            }
            if now.reports_rounds {
                let round = collective.named(Some((part, round.number + 1)), group);
                now.operations.push(Operation::BeginRound { collective: key, round });
            }
            let tag = collective.tag_of(&round);
            // The round does not end before all of it has begun.
            collective.parts[usize::from(part)] = Progress { round: round.number + 1, pending: 1 };
            let mut index = 0;
            while let Some(action) = self.collectives[place].step(part.into(), group, &round, index) {
                self.begin_step(place, (part, tag), &action, now);
                index += 1;
            }
            self.collectives[place].parts[usize::from(part)].pending -= 1;
        }
    }

    /// If no id is free for all members, the next ids are in question; returns whether this is so.
    fn begin_again(&mut self, place: usize) -> bool {
        let InProgress { what: What::Agreement(agreement), communicator, .. } = &self.collectives[place]
        else {
            return false;
        };
        if !agreement.lacks_id() {
            return false;
        }
        let first = agreement.first + ids_at_once(agreement.classes);
        assert!(first < MAX_IDS, "rank {} has too many communicators", self.rank);
        let free = self.free_names(*communicator, agreement.classes, first);
        if let What::Agreement(agreement) = &mut self.collectives[place].what {
            (agreement.first, agreement.free) = (first, free);
        }
        self.collectives[place].parts = vec![Progress::default()];
        true
    }

    fn begin_step(&mut self, place: usize, (part, tag): (u16, u32), action: &Action, now: &mut Now<'_>) {
        let collective = &mut self.collectives[place];
        let InProgress { key, communicator, .. } = *collective;
        match action {
            Action::Skip | Action::Pass { .. } => {}
            Action::Post { .. } => collective.posted += 1,
            Action::Send { .. }
            | Action::Deposit { .. }
            | Action::Receive { .. }
            | Action::Copy { .. }
            | Action::Join { .. } => collective.parts[usize::from(part)].pending += 1,
        }
        let group = self.communicators.group(communicator);
        let proposed = collective.proposed();
        let context = Context { communicator: self.communicators.id(communicator), is_collective: true };
        let label =
            Label { context, tag, source: group.rank, proposed, is_ready: false, is_deposited: false };
        match *action {
            Action::Send { target, bytes } | Action::Post { target, bytes } => {
                let part = if matches!(action, Action::Post { .. }) { POSTED } else { part };
                let owner = Owner::Step { collective: key, part, then: Then::Keep };
                let blocks = collective.layout_to(target).blocks();
                let target = self.communicators.place(communicator, target);
                let (sequence, mode) = (self.ordering.number(target, context), Mode::Standard);
                let outgoing = Outgoing { target, bytes, label, sequence, mode, owner };
                self.work(now.costs.pack(blocks), After::Send(outgoing), now);
            }
            Action::Receive { source, then } => {
                let layout = source.map_or(Layout::Contiguous, |source| collective.layout_from(source));
                let source = source.map(|source| self.communicators.place(communicator, source));
                let owner = Owner::Step { collective: key, part, then };
                let blocks = layout.blocks();
                self.receive(
                    Selector { context, source, tag: Some(tag), owner, blocks, room: Room::UNLIMITED },
                    now,
                );
            }
            Action::Copy { bytes } => {
                self.work(now.costs.copy(bytes), After::Step { collective: key, part }, now);
            }
            Action::Join { turn } => {
                let communicators = &self.communicators;
                let on = communicators.route(communicator).expect("it has been looked for");
                let place_of = |rank| communicators.place(communicator, rank);
                let collective = self.collectives[place].network_collective(turn, place_of);
                let number = self.uncommon.network_collectives;
                self.uncommon.network_collectives = number.wrapping_add(1);
                self.uncommon.network_steps.push(NetworkStep { number, collective: key, part });
                now.operations.push(Operation::Join { number, on, collective });
            }
            Action::Deposit { branch, bytes } => {
                let along = self.collectives[place].along(group.rank, branch);
                let ranks =
                    along.map(|rank| self.communicators.place(communicator, rank)).collect::<Vec<_>>();
                let owner = Owner::Step { collective: key, part, then: Then::Keep };
                let label = Label { is_deposited: true, ..label };
                self.deposit((&ranks, branch.heading.is_plus), &label, bytes, owner, now);
            }
            Action::Skip | Action::Pass { .. } => {}
        }
    }

    /// Sends a message to the ranks of a line.
    fn deposit(
        &mut self,
        (ranks, is_plus): (&[u32], bool),
        label: &Label,
        bytes: u64,
        owner: Owner,
        now: &mut Now<'_>,
    ) {
        let (Some(&first), Some(&last)) = (ranks.first(), ranks.last()) else {
            unreachable!("a line has ranks")
        };
        let (envelope, reports) = (label.envelope(0), now.costs.sends_take_time);
        let line = Line { first, last, is_plus };
        now.operations.push(Operation::Deposit { line, bytes, envelope, reports });
        if let Some(communication) = &mut self.communication {
            ranks.iter().for_each(|&rank| communication.add(rank, bytes));
        }
        self.begin_sending((last, label), (bytes, 0), owner, reports, now);
    }

    /// Ends the rank's part of a network collective.
    pub fn joined(&mut self, number: u32, now: &mut Now<'_>) {
        let place = self.uncommon.network_steps.iter().position(|step| step.number == number);
        let NetworkStep { collective, part, .. } =
            self.uncommon.network_steps.remove(place.expect("the rank has joined"));
        self.end_step(collective, part, None, now);
    }

    fn end_agreement(&mut self, communicator: u32, agreement: &Agreement) {
        let Agreement { ref members, new, order, first, classes, free } = *agreement;
        let (id, class) = agreed(first, free, classes, order);
        self.communicators.agree(communicator, first);
        if classes > 0 && self.communicators.gives_routes(communicator) {
            self.uncommon.creations += 1;
        }
        let creations = self.uncommon.creations;
        let route = class.map(|class| RouteName::new(class, creations));
        let group = members.as_ref();
        let group =
            group.and_then(|members| self.communicators.create(communicator, members, new, id, route));
        self.outcome.member = group.map(|group| Member { id, rank: group.rank, size: group.size });
    }

    fn end_collective(&mut self, place: usize, now: &mut Now<'_>) {
        let InProgress { what, communicator, owner, tag, .. } = self.collectives.swap_remove(place);
        if let What::Agreement(agreement) = what {
            self.end_agreement(communicator, &agreement);
        }
        self.communicators.end_collective(communicator);
        let status = Status { tag, ..Status::default() };
        match owner {
            Owner::Request(request) => {
                self.end_request(request, Request::Complete { received: None }, now.time, status);
            }
            Owner::Call | Owner::Step { .. } => {
                self.blocked = None;
                self.complete(self.calls, now.time, status);
            }
        }
    }
}
