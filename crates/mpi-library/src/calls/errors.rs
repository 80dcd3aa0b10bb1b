//! Errors: the handlers that decide on them, their classes, and their words.
//!
//! ```text
//!   a call fails --> handler of its communicator or session, else of MPI_COMM_SELF (MPI 4, section 9.3)
//!                      MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ABORT   the run ends with the words of the error
//!                      MPI_ERRORS_RETURN                        the call returns the code
//!                      a function of the program                is called, then the call returns the code
//! ```
//!
//! A handler that the program has freed stays, as objects may have it. The same function has the same handle, so that
//! no more are kept than the program has functions.

mod words;

use crate::abi::{
    Code, Comm, Errhandler, File, Function, IntegerKind, Limit, Ref, Runtime, Session, Text, TextAt,
};
use crate::calls::texts;
use crate::constants::{self as c, HandleKind};
use crate::error::{Decides, Error, Outcome};
use crate::handles::Objects;
use crate::library::{Stage, library};
use crate::objects::communicators;
use crate::objects::{attributes, sessions};
use crate::of_process::OfProcess;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{CString, c_int, c_void};
use std::rc::Rc;
use words::words_of;

pub(crate) static ERRORS: OfProcess<Errors> = OfProcess::new(Errors::new());

/// The objects that can have an error handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Comm,
    Win,
    File,
    Session,
}

/// A function of the program that handles errors.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Handler {
    kind: Kind,
    function: usize,
}

/// The type of such a function, with the addresses of the object's handle and the code. Further arguments are the
/// library's choice: there are none.
type HandlerFunction = unsafe extern "C" fn(*mut c_void, *mut c_int, ...);

/// A class or code that the program has added.
#[derive(Debug)]
struct Added {
    /// The class of a code; of a class, itself.
    class: c_int,
    text: CString,
}

/// The error handlers, classes and texts that the program has set.
#[derive(Debug)]
pub(crate) struct Errors {
    handlers: Objects<Handler>,
    /// The handler of files that are opened.
    of_files: Cell<usize>,
    added: RefCell<BTreeMap<c_int, Added>>,
    /// The code and the words of the error that a call has returned last.
    last: RefCell<(c_int, String)>,
}

impl Errors {
    pub const fn new() -> Self {
        Errors {
            handlers: Objects::new(HandleKind::Errhandler),
            of_files: Cell::new(c::ERRORS_RETURN),
            added: RefCell::new(BTreeMap::new()),
            last: RefCell::new((c::SUCCESS, String::new())),
        }
    }
}

/// The handler that decides on an error.
fn handler_of(decides: Option<Decides>) -> usize {
    let of_object = match decides {
        Some(Decides::Comm(comm)) => communicators::of(comm).ok().map(|found| found.error_handler.get()),
        Some(Decides::Session(session)) => sessions::of(session).ok().map(|found| found.error_handler.get()),
        Some(Decides::Handler(handler)) => Some(handler.0),
        Some(Decides::Caller) => Some(c::ERRORS_RETURN),
        None => None,
    };
    of_object.unwrap_or_else(communicators::default_error_handler)
}

/// Passes an error to the handler that decides on it; returns the code in this interface.
pub(crate) fn raise(error: &Error) -> c_int {
    let is_running = library().stage.get() == Stage::Running || error.decides == Some(Decides::Caller);
    let handler = if is_running { handler_of(error.decides) } else { c::ERRORS_ARE_FATAL };
    deliver(handler, error);
    Runtime::raw_integer(error.code, IntegerKind::Error)
}

/// Lets a handler handle an error.
fn deliver(handler: usize, error: &Error) {
    let errors = &ERRORS;
    let user = errors.handlers.get(handler);
    if user.is_none() && handler != c::ERRORS_RETURN {
        library().fail(error);
    }
    *errors.last.borrow_mut() = (error.code, library().in_words(error));
    let Some(user) = user else { return };
    // Room for a handle of every interface.
    let mut object = [0_u64; 1];
    let at = object.as_mut_ptr().cast();
    match error.decides {
        Some(Decides::Comm(comm)) => Ref::at(at).set(0, comm),
        Some(Decides::Session(session)) => Ref::at(at).set(0, session),
        _ if user.kind == Kind::Session => Ref::at(at).set(0, Session(c::SESSION_NULL)),
        _ if user.kind == Kind::File => Ref::at(at).set(0, File(c::FILE_NULL)),
        _ => Ref::at(at).set(0, Comm(c::COMM_SELF)),
    }
    let mut code = Runtime::raw_integer(error.code, IntegerKind::Error);
    // SAFETY: the program has passed a function of this type. Nothing is borrowed while it runs: it may call MPI.
    unsafe {
        let function = std::mem::transmute::<usize, HandlerFunction>(user.function);
        library().outside(|| function(at, &raw mut code));
    }
}

fn create(kind: Kind, function: Function, handle: Ref<Errhandler>) -> Outcome {
    if function.address == 0 {
        return Err(Error::new(c::ERR_ARG, "the function of the error handler is a null pointer"));
    }
    let handler = Handler { kind, function: function.address };
    let handlers = &ERRORS.handlers;
    let known = handlers.find(|known| *known == handler);
    handle.set(0, Errhandler(known.unwrap_or_else(|| handlers.add(Rc::new(handler)))));
    Ok(())
}

/// A handler that objects of a kind can have.
fn checked(kind: Kind, handler: Errhandler) -> Outcome<usize> {
    let fits = match handler.0 {
        c::ERRORS_ARE_FATAL | c::ERRORS_ABORT | c::ERRORS_RETURN => true,
        handle => ERRORS.handlers.get(handle).is_some_and(|handler| handler.kind == kind),
    };
    match fits {
        true => Ok(handler.0),
        false => {
            let words = format!("errhandler is no error handler of a {kind:?}").to_lowercase();
            Err(Error::new(c::ERR_ERRHANDLER, words))
        }
    }
}

/// The error handler of a communicator that is made.
///
/// # Errors
/// If there is no such error handler.
pub(crate) fn of_comm(handler: Errhandler) -> Outcome<usize> {
    checked(Kind::Comm, handler)
}

/// The error handler of a session.
///
/// # Errors
/// If there is no such error handler.
pub(crate) fn of_session(handler: Errhandler) -> Outcome<usize> {
    checked(Kind::Session, handler)
}

/// An error that the program passes to a handler itself.
fn called(code: Code, decides: Option<Decides>) -> Outcome {
    let error = Error { code: code.0, words: text_of(code.0)?.to_string_lossy().into(), decides };
    deliver(handler_of(decides), &error);
    Ok(())
}

/// `MPI_Comm_create_errhandler`.
///
/// # Errors
/// If there is no function.
pub fn comm_create_errhandler(comm_errhandler_fn: Function, errhandler: Ref<Errhandler>) -> Outcome {
    create(Kind::Comm, comm_errhandler_fn, errhandler)
}

/// `MPI_Comm_set_errhandler`.
///
/// # Errors
/// If there is no such communicator, or no such error handler.
pub fn comm_set_errhandler(comm: Comm, errhandler: Errhandler) -> Outcome {
    let of = communicators::of(comm)?;
    of.error_handler.set(checked(Kind::Comm, errhandler).map_err(|error| error.on(comm))?);
    Ok(())
}

/// `MPI_Comm_get_errhandler`.
///
/// # Errors
/// If there is no such communicator.
pub fn comm_get_errhandler(comm: Comm, errhandler: Ref<Errhandler>) -> Outcome {
    errhandler.set(0, Errhandler(communicators::of(comm)?.error_handler.get()));
    Ok(())
}

/// `MPI_Comm_call_errhandler`.
///
/// # Errors
/// If there is no such communicator, or no such code.
pub fn comm_call_errhandler(comm: Comm, errorcode: Code) -> Outcome {
    communicators::of(comm)?;
    called(errorcode, Some(Decides::Comm(comm)))
}

/// `MPI_Errhandler_create`.
///
/// # Errors
/// If there is no function.
pub fn errhandler_create(handler_fn: Function, errhandler: Ref<Errhandler>) -> Outcome {
    create(Kind::Comm, handler_fn, errhandler)
}

/// `MPI_Errhandler_set`.
///
/// # Errors
/// As those of [`comm_set_errhandler`].
pub fn errhandler_set(comm: Comm, errhandler: Errhandler) -> Outcome {
    comm_set_errhandler(comm, errhandler)
}

/// `MPI_Errhandler_get`.
///
/// # Errors
/// If there is no such communicator.
pub fn errhandler_get(comm: Comm, errhandler: Ref<Errhandler>) -> Outcome {
    comm_get_errhandler(comm, errhandler)
}

/// `MPI_Win_create_errhandler`.
///
/// # Errors
/// If there is no function.
pub fn win_create_errhandler(win_errhandler_fn: Function, errhandler: Ref<Errhandler>) -> Outcome {
    create(Kind::Win, win_errhandler_fn, errhandler)
}

/// `MPI_File_create_errhandler`.
///
/// # Errors
/// If there is no function.
pub fn file_create_errhandler(file_errhandler_fn: Function, errhandler: Ref<Errhandler>) -> Outcome {
    create(Kind::File, file_errhandler_fn, errhandler)
}

/// The handler of files that are opened, which is that of `MPI_FILE_NULL`.
fn of_files(file: File) -> Outcome<&'static Cell<usize>> {
    match file.0 {
        c::FILE_NULL => Ok(&ERRORS.of_files),
        _ => Err(Error::new(c::ERR_FILE, "file is no file")),
    }
}

/// `MPI_File_set_errhandler`.
///
/// # Errors
/// If there is no such file, or no such error handler.
pub fn file_set_errhandler(file: File, errhandler: Errhandler) -> Outcome {
    of_files(file)?.set(checked(Kind::File, errhandler)?);
    Ok(())
}

/// `MPI_File_get_errhandler`.
///
/// # Errors
/// If there is no such file.
pub fn file_get_errhandler(file: File, errhandler: Ref<Errhandler>) -> Outcome {
    errhandler.set(0, Errhandler(of_files(file)?.get()));
    Ok(())
}

/// `MPI_File_call_errhandler`.
///
/// # Errors
/// If there is no such file, or no such code.
pub fn file_call_errhandler(fh: File, errorcode: Code) -> Outcome {
    called(errorcode, Some(Decides::Handler(Errhandler(of_files(fh)?.get()))))
}

/// `MPI_Session_create_errhandler`.
///
/// # Errors
/// If there is no function.
pub fn session_create_errhandler(session_errhandler_fn: Function, errhandler: Ref<Errhandler>) -> Outcome {
    create(Kind::Session, session_errhandler_fn, errhandler)
}

/// `MPI_Session_set_errhandler`.
///
/// # Errors
/// If there is no such session, or no such error handler.
pub fn session_set_errhandler(session: Session, errhandler: Errhandler) -> Outcome {
    let of = sessions::of(session)?;
    let handler = checked(Kind::Session, errhandler);
    of.error_handler.set(handler.map_err(|error| error.decided_by(Decides::Session(session)))?);
    Ok(())
}

/// `MPI_Session_get_errhandler`.
///
/// # Errors
/// If there is no such session.
pub fn session_get_errhandler(session: Session, errhandler: Ref<Errhandler>) -> Outcome {
    errhandler.set(0, Errhandler(sessions::of(session)?.error_handler.get()));
    Ok(())
}

/// `MPI_Session_call_errhandler`.
///
/// # Errors
/// If there is no such session, or no such code.
pub fn session_call_errhandler(session: Session, errorcode: Code) -> Outcome {
    sessions::of(session)?;
    called(errorcode, Some(Decides::Session(session)))
}

/// `MPI_Errhandler_free`: objects keep the handler.
///
/// # Errors
/// If there is no such error handler.
pub fn errhandler_free(errhandler: Ref<Errhandler>) -> Outcome {
    let handle = errhandler.get(0).0;
    let is_known = [c::ERRORS_ARE_FATAL, c::ERRORS_ABORT, c::ERRORS_RETURN].contains(&handle)
        || ERRORS.handlers.get(handle).is_some();
    if !is_known {
        return Err(Error::new(c::ERR_ERRHANDLER, "errhandler is no error handler"));
    }
    errhandler.set(0, Errhandler(c::ERRHANDLER_NULL));
    Ok(())
}

/// The names of the classes of the standard.
fn classes() -> impl Iterator<Item = (&'static str, c_int)> {
    let is_of_errors =
        |group: &&c::Group| group.constants.iter().any(|constant| constant.0 == "ERR_LASTCODE");
    let all = c::INTEGERS.iter().filter(is_of_errors).flat_map(|group| group.constants);
    all.filter(|constant| constant.0 != "ERR_LASTCODE").map(|&(name, value)| (name, value as c_int))
}

/// The text of a code.
fn text_of(code: c_int) -> Outcome<CString> {
    if let Some(added) = ERRORS.added.borrow().get(&code) {
        return Ok(added.text.clone());
    }
    let (name, _) = classes().find(|class| class.1 == code).ok_or_else(|| unknown("errorcode", code))?;
    Ok(texts::of(format!("MPI_{name}: {}", words_of(code))))
}

fn unknown(name: &str, code: c_int) -> Error {
    Error::argument(name, code, "an error class, or a code that the program has added")
}

/// The class of a code.
fn class_of(code: c_int) -> Outcome<c_int> {
    let added = ERRORS.added.borrow().get(&code).map(|added| added.class);
    let class = added.or_else(|| classes().find(|class| class.1 == code).map(|class| class.1));
    class.ok_or_else(|| unknown("errorcode", code))
}

/// `MPI_Error_string`: the words of the class, and those of the last error, if it has this code.
///
/// # Errors
/// If there is no such code.
pub fn error_string(errorcode: Code, string: TextAt, resultlen: Ref<c_int>) -> Outcome {
    let mut text = text_of(errorcode.0)?;
    let (last, words) = &*ERRORS.last.borrow();
    if *last == errorcode.0 && !words.is_empty() {
        text = texts::of(format!("{}: {words}", text.to_string_lossy()));
    }
    let stored = texts::write(&text, string, Runtime::limit(Limit::ErrorText));
    resultlen.set(0, stored as c_int);
    Ok(())
}

/// `MPI_Error_class`.
///
/// # Errors
/// If there is no such code.
pub fn error_class(errorcode: Code, errorclass: Ref<Code>) -> Outcome {
    errorclass.set(0, Code(class_of(errorcode.0)?));
    Ok(())
}

/// The highest class, those of the program included, as this interface has it.
pub(crate) fn last_class() -> c_int {
    let last = ERRORS.added.borrow().values().map(|added| added.class).max();
    Runtime::raw_integer(last.unwrap_or(0).max(c::ERR_LASTCODE), IntegerKind::Error)
}

/// Adds a class, or a code of a class.
fn add(class: Option<c_int>) -> c_int {
    // It is none of any interface.
    let first = Runtime::raw_integer(c::ERR_LASTCODE, IntegerKind::Error).max(c::ERR_LASTCODE) + 1;
    let code = ERRORS.added.borrow().keys().next_back().map_or(first, |last| last + 1);
    let added = Added { class: class.unwrap_or(code), text: CString::default() };
    ERRORS.added.borrow_mut().insert(code, added);
    attributes::note_last_class(last_class());
    code
}

/// Removes what the program has added.
fn remove(name: &str, code: c_int, is_class: bool) -> Outcome {
    let errors = &ERRORS;
    let is_it = errors.added.borrow().get(&code).is_some_and(|added| (added.class == code) == is_class);
    if !is_it {
        return Err(Error::argument(name, code, "one that the program has added"));
    }
    if errors.added.borrow().get(&code).is_some_and(|added| !added.text.is_empty()) {
        return Err(Error::argument(name, code, "one whose words have been removed"));
    }
    if is_class && errors.added.borrow().iter().any(|(other, added)| added.class == code && *other != code) {
        return Err(Error::argument(name, code, "a class without codes"));
    }
    errors.added.borrow_mut().remove(&code);
    attributes::note_last_class(last_class());
    Ok(())
}

/// `MPI_Add_error_class`.
///
/// # Errors
/// None.
pub fn add_error_class(errorclass: Ref<Code>) -> Outcome {
    errorclass.set(0, Code(add(None)));
    Ok(())
}

/// `MPI_Remove_error_class`.
///
/// # Errors
/// If the program has not added it, or it has codes.
pub fn remove_error_class(errorclass: Code) -> Outcome {
    remove("errorclass", errorclass.0, true)
}

/// `MPI_Add_error_code`.
///
/// # Errors
/// If there is no such class.
pub fn add_error_code(errorclass: Code, errorcode: Ref<Code>) -> Outcome {
    let class = class_of(errorclass.0)?;
    errorcode.set(0, Code(add(Some(class))));
    Ok(())
}

/// `MPI_Remove_error_code`.
///
/// # Errors
/// If the program has not added it.
pub fn remove_error_code(errorcode: Code) -> Outcome {
    remove("errorcode", errorcode.0, false)
}

fn set_text(code: c_int, text: CString) -> Outcome {
    match ERRORS.added.borrow_mut().get_mut(&code) {
        Some(added) => {
            added.text = text;
            Ok(())
        }
        None => Err(Error::argument("errorcode", code, "one that the program has added")),
    }
}

/// `MPI_Add_error_string`.
///
/// # Errors
/// If the program has not added the code.
pub fn add_error_string(errorcode: Code, string: Text) -> Outcome {
    set_text(errorcode.0, texts::read("string", string)?)
}

/// `MPI_Remove_error_string`.
///
/// # Errors
/// If the program has not added the code.
pub fn remove_error_string(errorcode: Code) -> Outcome {
    set_text(errorcode.0, CString::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_classes_have_words() {
        assert_eq!(classes().count(), 81);
        let without: Vec<_> = classes().filter(|class| words_of(class.1) == "error").collect();
        assert!(without.is_empty(), "{without:?}");
    }
}
