//! Persistent requests: operations that begin again and again.

use crate::abi::{Buffer, Comm, Count, Datatype, Rank, Ref, Request, Status, Tag};
use crate::calls::communicators;
use crate::calls::datatypes::Data;
use crate::calls::partitioned::Partitioned;
use crate::calls::point_to_point::{self, Mode};
use crate::calls::requests::{self, Incoming, Kind, RequestState};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use rank_wire::{Code, Ended, Memory};
use std::cell::RefCell;
use std::ffi::c_int;
use std::rc::Rc;

/// Begins an operation as a request of its own.
type Begin = Box<dyn Fn() -> Outcome<Rc<RequestState>>>;

/// What begins again.
pub(crate) enum Persistent {
    /// A send, at the simulator by this number.
    Send(u32, Data),
    /// A receive, at the simulator by this number.
    Receive(u32, Incoming),
    /// A send whose partitions become ready one by one.
    Partitioned(Partitioned),
    /// A collective, or a transfer from or to `MPI_PROC_NULL`: each start makes a call that does not block.
    Restarted(Begin, RefCell<Option<Rc<RequestState>>>),
}

impl std::fmt::Debug for Persistent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Persistent")
    }
}

impl Persistent {
    fn current(&self) -> Option<Rc<RequestState>> {
        match self {
            Persistent::Send(..) | Persistent::Receive(..) | Persistent::Partitioned(_) => None,
            Persistent::Restarted(_, current) => current.borrow().clone(),
        }
    }

    pub fn is_active(&self) -> bool {
        match self {
            Persistent::Partitioned(partitioned) => partitioned.waits(),
            Persistent::Send(..) | Persistent::Receive(..) | Persistent::Restarted(..) => {
                self.current().is_some()
            }
        }
    }

    pub fn has_ended(&self) -> bool {
        self.current().is_some_and(|current| current.has_ended())
    }

    pub fn needs_answer(&self) -> bool {
        // The end of a wait for any or some is always heard. A wait for all of several sends is not.
        match self {
            Persistent::Send(..) | Persistent::Partitioned(_) => false,
            Persistent::Receive(..) | Persistent::Restarted(..) => true,
        }
    }

    pub fn add_numbers(&self, numbers: &mut Vec<u64>) {
        if let Some(current) = self.current() {
            current.add_numbers(numbers);
        }
    }

    pub fn finish(&self, memory: &Memory, ended: &Ended) -> Status {
        match self {
            Persistent::Receive(_, incoming) => requests::received(memory, incoming, ended),
            Persistent::Send(..) | Persistent::Partitioned(_) | Persistent::Restarted(..) => Status::EMPTY,
        }
    }

    pub fn take_status(&self) -> Status {
        let Persistent::Restarted(_, current) = self else { return Status::EMPTY };
        let ended = current.borrow_mut().take();
        ended.and_then(|ended| ended.take_status().ok()).unwrap_or(Status::EMPTY)
    }

    /// Frees the request; `active` is its number if it is in progress.
    pub fn free(&self, active: Option<u32>) -> Outcome {
        let number = match self {
            Persistent::Send(number, _) | Persistent::Receive(number, _) => Some(*number),
            Persistent::Partitioned(partitioned) => partitioned.number,
            Persistent::Restarted(..) => None,
        };
        let mut link = library().link()?;
        match number {
            Some(number) => {
                library().active.abandon(number, active.is_some());
                link.post(Code::Free, &[u64::from(number)]);
            }
            None => link.post_nothing(),
        }
        Ok(())
    }
}

/// Makes a persistent request of an operation that each start begins anew.
pub(crate) fn restarted(begin: impl Fn() -> Outcome<Rc<RequestState>> + 'static) -> Rc<RequestState> {
    RequestState::new(Kind::Persistent(Persistent::Restarted(Box::new(begin), RefCell::new(None))), None)
}

fn send_in_mode(data: Outcome<Data>, to: (Rank, Tag, Comm), mode: Mode, request: Ref<Request>) -> Outcome {
    let of = communicators::of(to.2)?;
    let prepare = || {
        let data = data?;
        let words = point_to_point::send_words(&of, to.0, to.1, &data, mode)?;
        let mut link = library().link()?;
        let Some(words) = words else {
            link.post_nothing();
            return Ok(restarted(|| Ok(RequestState::ended(Status::EMPTY))));
        };
        let number = library().active.reserve();
        let [a, b, c, d, e, f] = words;
        link.post(Code::SendInit, &[a, b, c, d, e, f, number.into()]);
        Ok(RequestState::new(Kind::Persistent(Persistent::Send(number, data)), None))
    };
    let prepared = prepare().map_err(|error: Error| error.on(to.2))?;
    request.set(0, prepared.handle());
    Ok(())
}

macro_rules! sends {
    ($($(#[$doc:meta])* $name:ident $mode:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// If an argument is wrong.
        pub fn $name(
            buf: Buffer,
            count: Count,
            datatype: Datatype,
            dest: Rank,
            tag: Tag,
            comm: Comm,
            request: Ref<Request>,
        ) -> Outcome {
            send_in_mode(Data::of(buf, count, datatype), (dest, tag, comm), Mode::$mode, request)
        }
    )*};
}

sends! {
    /// `MPI_Send_init`.
    send_init Standard;
    /// `MPI_Ssend_init`.
    ssend_init Synchronous;
    /// `MPI_Bsend_init`.
    bsend_init Buffered;
    /// `MPI_Rsend_init`.
    rsend_init Ready;
}

/// `MPI_Recv_init`.
///
/// # Errors
/// If an argument is wrong.
pub fn recv_init(
    buf: Buffer,
    count: Count,
    datatype: Datatype,
    source: Rank,
    tag: Tag,
    comm: Comm,
    request: Ref<Request>,
) -> Outcome {
    let of = communicators::of(comm)?;
    let prepare = || {
        let data = Data::of(buf, count, datatype)?;
        let selected = point_to_point::selected(&of, source, tag)?;
        let mut link = library().link()?;
        let Some([source, tag]) = selected else {
            link.post_nothing();
            let from_nobody = Status { source: c::PROC_NULL, ..Status::EMPTY };
            return Ok(restarted(move || Ok(RequestState::ended(from_nobody))));
        };
        let number = library().active.reserve();
        link.post(Code::ReceiveInit, &[of.number.into(), source, tag, data.blocks(), number.into()]);
        let incoming = Incoming { data, first_peer: of.first_peer() };
        Ok(RequestState::new(Kind::Persistent(Persistent::Receive(number, incoming)), None))
    };
    let prepared = prepare().map_err(|error: Error| error.on(comm))?;
    request.set(0, prepared.handle());
    Ok(())
}

/// Starts requests by one call, those of the simulator together.
fn start_all(states: &[Rc<RequestState>]) -> Outcome {
    let mut words = Vec::new();
    for state in states {
        match &state.kind {
            Kind::Persistent(_) if state.is_active() => {
                return Err(Error::new(
                    c::ERR_REQUEST,
                    "request is active: it has been started and has not ended",
                ));
            }
            Kind::Persistent(Persistent::Send(number, data)) => {
                words.extend([u64::from(*number), point_to_point::copied(&mut *library().link()?, data)?]);
            }
            Kind::Persistent(Persistent::Receive(number, _)) => words.extend([u64::from(*number), 0]),
            Kind::Persistent(Persistent::Partitioned(partitioned)) => partitioned.start(),
            Kind::Persistent(Persistent::Restarted(begin, current)) => {
                let begun = begin()?;
                *current.borrow_mut() = Some(begun);
            }
            Kind::Send
            | Kind::Receive(_)
            | Kind::Collective(_)
            | Kind::Joint(..)
            | Kind::Generalized(_)
            | Kind::Nothing => {
                return Err(Error::new(c::ERR_REQUEST, "request is not persistent"));
            }
        }
    }
    for state in states {
        if let Kind::Persistent(Persistent::Send(number, _) | Persistent::Receive(number, _)) = &state.kind {
            library().active.begin(*number, state);
        }
    }
    if !words.is_empty() {
        words
            .chunks(1_000)
            .try_for_each(|words| library().link().map(|mut link| link.post(Code::Start, words)))?;
    }
    Ok(())
}

/// `MPI_Start`.
///
/// # Errors
/// If the request is not persistent, or is active.
pub fn start(request: Ref<Request>) -> Outcome {
    startall(1, request)
}

/// `MPI_Startall`.
///
/// # Errors
/// If a request is not persistent, or is active.
pub fn startall(count: c_int, requests: Ref<Request>) -> Outcome {
    let states = (0..usize::try_from(count).unwrap_or(0)).map(|place| {
        let found = requests::of(requests.get(place))?;
        found.ok_or_else(|| Error::new(c::ERR_REQUEST, "request is MPI_REQUEST_NULL"))
    });
    start_all(&states.collect::<Outcome<Vec<_>>>()?)
}
