//! Info objects: hints by names.

use crate::abi::HandleKind;
use crate::abi::{Info, Limit, Ref, Runtime, Text, TextAt, Texts};
use crate::calls::texts;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::handles::Objects;
use crate::library::library;
use crate::of_process::OfProcess;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_int};
use std::rc::Rc;

pub(crate) static INFOS: OfProcess<Objects<RefCell<Hints>>> = OfProcess::new(Objects::new(HandleKind::Info));

/// Hints: keys and values, in the order in which they were set.
pub(crate) type Hints = Vec<(CString, CString)>;

/// A copy of the hints of a handle; none of `MPI_INFO_NULL`.
///
/// # Errors
/// If there is no such object.
pub(crate) fn hints(info: Info) -> Outcome<Hints> {
    if info.0 == c::INFO_NULL {
        return Ok(Hints::new());
    }
    Ok(of(info)?.borrow().clone())
}

/// Makes an object of hints; returns its handle.
pub(crate) fn handle(hints: Hints) -> Info {
    Info(INFOS.add(Rc::new(hints.into())))
}

/// Sets a hint.
pub(crate) fn put(hints: &mut Hints, key: CString, value: CString) {
    match hints.iter_mut().find(|hint| hint.0 == key) {
        Some(hint) => hint.1 = value,
        None => hints.push((key, value)),
    }
}

/// The value of a hint.
pub(crate) fn value<'a>(hints: &'a Hints, key: &CStr) -> Option<&'a CString> {
    hints.iter().find(|hint| *hint.0 == *key).map(|hint| &hint.1)
}

/// The object of a handle.
fn of(info: Info) -> Outcome<Rc<RefCell<Hints>>> {
    if info.0 == c::INFO_ENV {
        return Ok(Rc::new(environment(std::env::args_os()).into()));
    }
    INFOS.get(info.0).ok_or_else(|| Error::new(c::ERR_INFO, "info is no info object"))
}

/// An object that the program may change.
fn own(info: Info) -> Outcome<Rc<RefCell<Hints>>> {
    match info.0 {
        c::INFO_ENV => Err(Error::new(c::ERR_INFO, "info is MPI_INFO_ENV, which a program cannot change")),
        _ => of(info),
    }
}

/// The facts of the program's start (MPI 5.0, section 11.5).
fn environment(arguments: impl Iterator<Item = std::ffi::OsString>) -> Hints {
    let mut hints = Hints::new();
    let mut known = |key: &CStr, value: Option<String>| {
        hints.extend(value.map(|value| (key.to_owned(), texts::of(value))));
    };
    let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    known(c"command", arguments.next());
    known(c"argv", Some(arguments.collect::<Vec<_>>().join(" ")).filter(|argv| !argv.is_empty()));
    known(c"maxprocs", library().memory().ok().map(|memory| memory.layout().ranks.to_string()));
    known(c"arch", Some(String::from(std::env::consts::ARCH)));
    known(c"wdir", std::env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned()));
    known(c"thread_level", Some(String::from("MPI_THREAD_FUNNELED")));
    hints
}

/// A key, which is not too long.
fn key(text: Text) -> Outcome<CString> {
    let key = texts::read("key", text)?;
    let longest = Runtime::limit(Limit::InfoKey) - 1;
    if key.is_empty() || key.as_bytes().len() > longest {
        let words = format!("key has {} characters: it has 1 to {longest}", key.as_bytes().len());
        return Err(Error::new(c::ERR_INFO_KEY, words));
    }
    Ok(key)
}

/// `MPI_Info_create`.
///
/// # Errors
/// None.
pub fn create(info: Ref<Info>) -> Outcome {
    info.set(0, handle(Hints::new()));
    Ok(())
}

/// `MPI_Info_create_env`: the object has the hints of `MPI_INFO_ENV`.
///
/// # Errors
/// None.
pub fn create_env(_: c_int, _: Texts, info: Ref<Info>) -> Outcome {
    info.set(0, handle(environment(std::env::args_os())));
    Ok(())
}

/// `MPI_Info_set`.
///
/// # Errors
/// If there is no such object, or a text is too long.
pub fn set(info: Info, key: Text, value: Text) -> Outcome {
    let (object, key) = (own(info)?, self::key(key)?);
    let value = texts::read("value", value)?;
    let longest = Runtime::limit(Limit::InfoValue) - 1;
    if value.as_bytes().len() > longest {
        let words = format!("value has {} characters: it has at most {longest}", value.as_bytes().len());
        return Err(Error::new(c::ERR_INFO_VALUE, words));
    }
    put(&mut object.borrow_mut(), key, value);
    Ok(())
}

/// `MPI_Info_delete`.
///
/// # Errors
/// If there is no such object, or it has no such key.
pub fn delete(info: Info, key: Text) -> Outcome {
    let (object, key) = (own(info)?, self::key(key)?);
    let mut hints = object.borrow_mut();
    let place = hints.iter().position(|hint| hint.0 == key);
    let words = || format!("key = {}: the object does not have it", key.to_string_lossy());
    hints.remove(place.ok_or_else(|| Error::new(c::ERR_INFO_NOKEY, words()))?);
    Ok(())
}

/// `MPI_Info_get_string`: `buflen` is the room for the value, and becomes what it needs.
///
/// # Errors
/// If there is no such object, or the key is too long.
pub fn get_string(info: Info, key: Text, buflen: Ref<c_int>, value: TextAt, flag: Ref<c_int>) -> Outcome {
    let (hints, key) = (of(info)?, self::key(key)?);
    let hints = hints.borrow();
    let found = self::value(&hints, &key);
    flag.set(0, found.is_some().into());
    if let Some(found) = found {
        let room = usize::try_from(buflen.get(0));
        texts::write(found, value, room.map_err(|_| Error::argument("buflen", buflen.get(0), "from 0"))?);
        buflen.set(0, found.as_bytes_with_nul().len() as c_int);
    }
    Ok(())
}

/// `MPI_Info_get`: there is room for `valuelen` characters, and for a 0.
///
/// # Errors
/// If there is no such object, the key is too long, or the length is negative.
pub fn get(info: Info, key: Text, valuelen: c_int, value: TextAt, flag: Ref<c_int>) -> Outcome {
    let (hints, key) = (of(info)?, self::key(key)?);
    let hints = hints.borrow();
    let found = self::value(&hints, &key);
    let room = usize::try_from(valuelen).map_err(|_| Error::argument("valuelen", valuelen, "from 0"))?;
    found.map(|found| texts::write(found, value, room + 1));
    flag.set(0, found.is_some().into());
    Ok(())
}

/// `MPI_Info_get_valuelen`.
///
/// # Errors
/// If there is no such object, or the key is too long.
pub fn get_valuelen(info: Info, key: Text, valuelen: Ref<c_int>, flag: Ref<c_int>) -> Outcome {
    let (hints, key) = (of(info)?, self::key(key)?);
    let length = self::value(&hints.borrow(), &key).map(|value| value.as_bytes().len());
    flag.set(0, length.is_some().into());
    if let Some(length) = length {
        valuelen.set(0, length as c_int);
    }
    Ok(())
}

/// `MPI_Info_get_nkeys`.
///
/// # Errors
/// If there is no such object.
pub fn get_nkeys(info: Info, nkeys: Ref<c_int>) -> Outcome {
    nkeys.set(0, of(info)?.borrow().len() as c_int);
    Ok(())
}

/// `MPI_Info_get_nthkey`.
///
/// # Errors
/// If there is no such object, or it has fewer keys.
pub fn get_nthkey(info: Info, n: c_int, key: TextAt) -> Outcome {
    let hints = of(info)?;
    let hints = hints.borrow();
    let found = usize::try_from(n).ok().and_then(|n| hints.get(n));
    let words = || format!("the number of one of the {} keys, from 0", hints.len());
    let (name, _) = found.ok_or_else(|| Error::argument("n", n, &words()))?;
    texts::write(name, key, Runtime::limit(Limit::InfoKey));
    Ok(())
}

/// `MPI_Info_dup`.
///
/// # Errors
/// If there is no such object.
pub fn dup(info: Info, newinfo: Ref<Info>) -> Outcome {
    newinfo.set(0, handle(of(info)?.borrow().clone()));
    Ok(())
}

/// `MPI_Info_free`.
///
/// # Errors
/// If there is no such object, or it is predefined.
pub fn free(info: Ref<Info>) -> Outcome {
    own(info.get(0))?;
    INFOS.remove(info.get(0).0);
    info.set(0, Info(c::INFO_NULL));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_keep_their_order() {
        let mut hints = Hints::new();
        for (key, value) in [(c"a", c"1"), (c"b", c"2"), (c"a", c"3")] {
            put(&mut hints, key.to_owned(), value.to_owned());
        }
        assert_eq!(hints, [(c"a", c"3"), (c"b", c"2")].map(|(key, value)| (key.into(), value.into())));
        assert_eq!((value(&hints, c"b"), value(&hints, c"c")), (Some(&c"2".into()), None));
    }

    #[test]
    fn the_start_of_the_program_is_known() {
        let hints = environment(["a.out", "-x", "3"].map(Into::into).into_iter());
        assert_eq!(value(&hints, c"command"), Some(&c"a.out".into()));
        assert_eq!(value(&hints, c"argv"), Some(&c"-x 3".into()));
    }
}
