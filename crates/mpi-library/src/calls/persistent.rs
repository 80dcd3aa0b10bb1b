//! Persistent requests: operations that begin again and again.

use crate::abi::{Buffer, Comm, Count, Datatype, Rank, Ref, Request, Status, Tag};
use crate::calls::datatypes::Data;
use crate::calls::point_to_point::{self, Mode};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::objects::communicators;
use crate::objects::requests::{self, ACTIVE, Incoming, Kind, Own, RequestState};
use rank_wire::{Code, Ended, Memory};
use std::cell::RefCell;
use std::ffi::c_int;
use std::rc::Rc;

/// A send that begins again, at the simulator by its number.
#[derive(Debug)]
struct PersistentSend(u32, Data);

impl Own for PersistentSend {
    fn is_persistent(&self) -> bool {
        true
    }

    fn start(&self, state: &Rc<RequestState>, words: &mut Vec<u64>) -> Outcome {
        words.extend([u64::from(self.0), point_to_point::copied(&mut *library().link()?, &self.1)?]);
        ACTIVE.begin(self.0, state);
        Ok(())
    }

    fn free(&self, active: Option<u32>) -> Outcome {
        free(Some(self.0), active)
    }
}

/// A receive that begins again, at the simulator by its number.
#[derive(Debug)]
pub(crate) struct PersistentReceive(pub u32, pub Incoming);

impl Own for PersistentReceive {
    fn is_persistent(&self) -> bool {
        true
    }

    fn needs_answer(&self) -> bool {
        true
    }

    fn finish(&self, memory: &Memory, ended: &Ended) -> Status {
        requests::received(memory, &self.1, ended)
    }

    fn start(&self, state: &Rc<RequestState>, words: &mut Vec<u64>) -> Outcome {
        words.extend([u64::from(self.0), 0]);
        ACTIVE.begin(self.0, state);
        Ok(())
    }

    fn free(&self, active: Option<u32>) -> Outcome {
        free(Some(self.0), active)
    }
}

/// Begins an operation as a request of its own.
type Begin = Box<dyn Fn() -> Outcome<Rc<RequestState>>>;

/// A collective, or a transfer from or to `MPI_PROC_NULL`: each start makes a call that does not block.
struct Restarted(Begin, RefCell<Option<Rc<RequestState>>>);

impl std::fmt::Debug for Restarted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Restarted")
    }
}

impl Restarted {
    fn current(&self) -> Option<Rc<RequestState>> {
        self.1.borrow().clone()
    }
}

impl Own for Restarted {
    fn is_persistent(&self) -> bool {
        true
    }

    fn is_active(&self) -> bool {
        self.current().is_some()
    }

    fn has_ended(&self) -> bool {
        self.current().is_some_and(|current| current.has_ended())
    }

    fn needs_answer(&self) -> bool {
        true
    }

    fn add_numbers(&self, numbers: &mut Vec<u64>) {
        if let Some(current) = self.current() {
            current.add_numbers(numbers);
        }
    }

    fn take_status(&self) -> Outcome<Status> {
        let ended = self.1.borrow_mut().take();
        ended.map_or(Ok(Status::EMPTY), |ended| ended.take_status())
    }

    fn start(&self, _: &Rc<RequestState>, _: &mut Vec<u64>) -> Outcome {
        let begun = (self.0)()?;
        *self.1.borrow_mut() = Some(begun);
        Ok(())
    }

    fn free(&self, active: Option<u32>) -> Outcome {
        free(None, active)
    }
}

/// Frees a persistent request that has a number at the simulator, or none; `active` if it is in progress.
pub(crate) fn free(number: Option<u32>, active: Option<u32>) -> Outcome {
    let mut link = library().link()?;
    match number {
        Some(number) => {
            ACTIVE.abandon(number, active.is_some());
            link.post(Code::Free, &[u64::from(number)]);
        }
        None => link.post_nothing(),
    }
    Ok(())
}

/// A persistent request.
pub(crate) fn persistent(own: impl Own) -> Rc<RequestState> {
    RequestState::new(Kind::Own(Box::new(own)), None)
}

/// Makes a persistent request of an operation that each start begins anew.
pub(crate) fn restarted(begin: impl Fn() -> Outcome<Rc<RequestState>> + 'static) -> Rc<RequestState> {
    persistent(Restarted(Box::new(begin), RefCell::new(None)))
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
        let number = ACTIVE.reserve();
        let [a, b, c, d, e, f] = words;
        link.post(Code::SendInit, &[a, b, c, d, e, f, number.into()]);
        Ok(persistent(PersistentSend(number, data)))
    };
    let prepared = prepare().map_err(|error: Error| error.on(to.2))?;
    request.set(0, prepared.handle_on(to.2));
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
        let number = ACTIVE.reserve();
        link.post(Code::ReceiveInit, &[of.number.into(), source, tag, data.blocks(), number.into()]);
        let incoming = Incoming { data, first_peer: of.first_peer() };
        Ok(persistent(PersistentReceive(number, incoming)))
    };
    let prepared = prepare().map_err(|error: Error| error.on(comm))?;
    request.set(0, prepared.handle_on(comm));
    Ok(())
}

/// Starts requests by one call, those of the simulator together.
fn start_all(states: &[Rc<RequestState>]) -> Outcome {
    for state in states {
        if !state.is_persistent() {
            return Err(Error::new(c::ERR_REQUEST, "request is not persistent"));
        }
        if state.is_active() {
            return Err(Error::new(
                c::ERR_REQUEST,
                "request is active: it has been started and has not ended",
            ));
        }
    }
    requests::differ(states)?;
    let mut words = Vec::new();
    let mut start = |state: &Rc<RequestState>| {
        if let Kind::Own(own) = &state.kind { own.start(state, &mut words) } else { Ok(()) }
    };
    // Requests before one that fails have begun.
    let started = states.iter().try_for_each(&mut start);
    words
        .chunks(1_000)
        .try_for_each(|words| library().link().map(|mut link| link.post(Code::Start, words)))?;
    started
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
/// If a request is not persistent, or is active, or is listed twice.
pub fn startall(count: c_int, requests: Ref<Request>) -> Outcome {
    let states = (0..requests::length(count)?).map(|place| {
        let found = requests::of(requests.get(place))?;
        found.ok_or_else(|| Error::new(c::ERR_REQUEST, "request is MPI_REQUEST_NULL"))
    });
    start_all(&states.collect::<Outcome<Vec<_>>>()?)
}
