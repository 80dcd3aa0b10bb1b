//! Sessions: a program may use MPI without `MPI_Init`, and several times.
//!
//! The process becomes a rank in the first `MPI_Session_init`. Where it has not called `MPI_Init`, its last call is made
//! when it exits, as it may begin another session until then.

use crate::abi::{Comm, Errhandler, Group, Info, Ref, Session, Text, TextAt};
use crate::calls::info::{self};
use crate::calls::own_messages;
use crate::calls::{environment, errors, groups, texts};
use crate::constants::{self as c};
use crate::error::{Decides, Error, Outcome};
use crate::library::{Stage, library};
use crate::objects::buffers;
use crate::objects::communicators::{self, Communicator, OWN_TAGS};
use crate::objects::sessions::{OpenSession, SESSIONS, are_all_finalized, of};
use std::cell::Cell;
use std::ffi::{CStr, CString, c_int};
use std::rc::Rc;

/// The sets of processes.
const SETS: [&CStr; 2] = [c"mpi://WORLD", c"mpi://SELF"];

/// Makes the last call of a rank that has used sessions, and no `MPI_Init`.
extern "C" fn finish_at_exit() {
    let is_in_use = library().world.get() == Stage::Running || !are_all_finalized();
    if library().stage.get() == Stage::Running && !is_in_use {
        // There is no more to do where it fails.
        let _ = environment::finish();
    }
}

/// `MPI_Session_init`.
///
/// # Errors
/// If the hints or the error handler are wrong, or the rank has made its last call.
pub fn init(info: Info, errhandler: Errhandler, session: Ref<Session>) -> Outcome {
    let handler = errors::of_session(errhandler)?;
    let hints = info::hints(info).map_err(|error| error.decided_by(Decides::Handler(errhandler)))?;
    environment::connect()?;
    let sessions = &SESSIONS;
    sessions.open.set(sessions.open.get() + 1);
    if !sessions.ends_at_exit.replace(true) {
        // SAFETY: the function takes and returns nothing.
        unsafe { libc::atexit(finish_at_exit) };
    }
    let open = OpenSession { error_handler: Cell::new(handler), hints };
    session.set(0, Session(sessions.objects.add(Rc::new(open))));
    Ok(())
}

/// `MPI_Session_finalize`.
///
/// # Errors
/// If there is no such session.
pub fn finalize(session: Ref<Session>) -> Outcome {
    let handle = session.get(0);
    of(handle)?;
    let sessions = &SESSIONS;
    sessions.objects.remove(handle.0);
    sessions.open.set(sessions.open.get() - 1);
    buffers::forget(handle);
    session.set(0, Session(c::SESSION_NULL));
    if are_all_finalized() && library().world.get() == Stage::Finalized {
        environment::finish()
    } else {
        Ok(())
    }
}

/// `MPI_Session_get_num_psets`.
///
/// # Errors
/// If there is no such session.
pub fn get_num_psets(session: Session, _: Info, npset_names: Ref<c_int>) -> Outcome {
    of(session)?;
    npset_names.set(0, SETS.len() as c_int);
    Ok(())
}

/// `MPI_Session_get_nth_pset`: `pset_len` is the room for the name, and becomes what it needs.
///
/// # Errors
/// If there is no such session or set.
pub fn get_nth_pset(session: Session, _: Info, n: c_int, pset_len: Ref<c_int>, pset_name: TextAt) -> Outcome {
    of(session)?;
    let name = usize::try_from(n).ok().and_then(|n| SETS.get(n));
    let words = || Error::argument("n", n, "0 or 1").decided_by(Decides::Session(session));
    let name = name.ok_or_else(words)?;
    texts::write(name, pset_name, usize::try_from(pset_len.get(0)).unwrap_or(0));
    pset_len.set(0, name.to_bytes_with_nul().len() as c_int);
    Ok(())
}

/// `MPI_Session_get_info`.
///
/// # Errors
/// If there is no such session.
pub fn get_info(session: Session, info_used: Ref<Info>) -> Outcome {
    let mut hints = of(session)?.hints.clone();
    let wanted = info::value(&hints, c"thread_level").cloned();
    let level = if wanted == Some(c"MPI_THREAD_SINGLE".into()) {
        c"MPI_THREAD_SINGLE"
    } else {
        c"MPI_THREAD_FUNNELED"
    };
    info::put(&mut hints, c"thread_level".into(), level.into());
    info_used.set(0, info::handle(hints));
    Ok(())
}

/// The members of a set of processes.
fn members_of(session: Session, name: Text) -> Outcome<Rc<[u32]>> {
    of(session)?;
    let members = || {
        let name = texts::read("pset_name", name)?;
        let place = SETS.iter().position(|set| set.to_bytes().eq_ignore_ascii_case(name.as_bytes()));
        match place {
            Some(0) => Ok(communicators::world()?.members.clone()),
            Some(_) => Ok(Rc::from([library().link()?.rank])),
            None => {
                let name = name.to_string_lossy();
                Err(Error::argument("pset_name", name, "mpi://WORLD or mpi://SELF"))
            }
        }
    };
    members().map_err(|error: Error| error.decided_by(Decides::Session(session)))
}

/// `MPI_Session_get_pset_info`.
///
/// # Errors
/// If there is no such session or set.
pub fn get_pset_info(session: Session, pset_name: Text, info: Ref<Info>) -> Outcome {
    let size = members_of(session, pset_name)?.len();
    info.set(0, info::handle(vec![(c"mpi_size".into(), texts::of(size.to_string()))]));
    Ok(())
}

/// `MPI_Group_from_session_pset`.
///
/// # Errors
/// If there is no such session or set.
pub fn group_from_session_pset(session: Session, pset_name: Text, newgroup: Ref<Group>) -> Outcome {
    newgroup.set(0, Group(c::GROUP_NULL));
    newgroup.set(0, groups::handle(members_of(session, pset_name)?));
    Ok(())
}

/// The tag of messages that make a communicator of a group: those with other texts are others.
pub(crate) fn tag_of(stringtag: Text) -> Outcome<u32> {
    let text: CString = texts::read("stringtag", stringtag)?;
    let mix = |tag: u32, byte: &u8| (tag ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    Ok(OWN_TAGS | text.as_bytes().iter().fold(0x811c_9dc5, mix))
}

/// Makes a communicator of members that all call this, and know each other.
pub(crate) fn make_of_group(members: &Rc<[u32]>, tag: u32) -> Outcome<Rc<Communicator>> {
    let (world, own) = (communicators::world()?, library().link()?.rank);
    let place = members.iter().position(|member| *member == own);
    let words = "group does not have the rank that calls";
    let place = place.ok_or_else(|| Error::new(c::ERR_GROUP, words))?;
    let id = own_messages::tell_id(&world, members, place, tag)?;
    communicators::define(id, members.clone(), place as u32)
}

/// `MPI_Comm_create_from_group`: the first member tells the others an id.
///
/// # Errors
/// If there is no such group, it does not have the rank, or another argument is wrong.
pub fn comm_create_from_group(
    group: Group,
    stringtag: Text,
    info: Info,
    errhandler: Errhandler,
    newcomm: Ref<Comm>,
) -> Outcome {
    let make = || {
        let (members, handler) = (groups::of(group)?, errors::of_comm(errhandler)?);
        let (hints, tag) = (info::hints(info)?, tag_of(stringtag)?);
        if members.is_empty() {
            return Ok(None);
        }
        let made = make_of_group(&members, tag)?;
        made.error_handler.set(handler);
        *made.hints.borrow_mut() = hints;
        Ok(Some(made))
    };
    newcomm.set(0, Comm(c::COMM_NULL));
    let made = make().map_err(|error: Error| error.decided_by(Decides::Handler(errhandler)))?;
    newcomm.set(0, communicators::handle(made));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_tags_that_no_program_has() {
        let tags = [c"", c"a", c"b", c"ab", c"ba"].map(|text| tag_of(Text(text.as_ptr())).unwrap());
        assert!(tags.iter().all(|tag| *tag >= OWN_TAGS));
        assert!((1..5).all(|place| !tags[..place].contains(&tags[place])));
    }
}
