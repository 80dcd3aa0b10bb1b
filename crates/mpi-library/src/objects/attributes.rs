//! Attributes: values that a program attaches to communicators and datatypes.
//!
//! A key has functions of the program that copy and delete its values. They may call MPI: nothing is borrowed while one
//! runs. A key that the program has freed stays with the values that it has.

use crate::abi::{Function, IntegerKind, Keyval, Pointer, Ref, Runtime};
use crate::constants::{self as c, HandleKind};
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::of_process::OfProcess;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::rc::Rc;

pub(crate) static KEYS: OfProcess<Keys> = OfProcess::new(Keys::new());

/// The first key of the program: none of any interface.
const FIRST_KEY: c_int = 4_096;

/// A function that copies a value: the object, the key, the extra state, the value, the places of the copy and of a flag.
type Copy =
    unsafe extern "C" fn(usize, c_int, *mut c_void, *mut c_void, *mut *mut c_void, *mut c_int) -> c_int;

/// A function that deletes a value: the object, the key, the value and the extra state.
type Delete = unsafe extern "C" fn(usize, c_int, *mut c_void, *mut c_void) -> c_int;

/// A key.
#[derive(Debug)]
pub(crate) struct Key {
    /// The objects whose attributes have it.
    of: HandleKind,
    /// The functions, or constants of the standard ABI. Other interfaces have functions that do the same.
    copy: usize,
    delete: usize,
    extra: *mut c_void,
}

/// A value, and its key.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    number: c_int,
    key: Rc<Key>,
    value: *mut c_void,
}

/// The keys of the program, and the values of predefined ones.
#[derive(Debug)]
pub(crate) struct Keys {
    made: Cell<c_int>,
    keys: RefCell<BTreeMap<c_int, Rc<Key>>>,
    /// In the order of [`PREDEFINED`]: the program gets their addresses.
    predefined: [Cell<c_int>; 7],
}

impl Keys {
    pub const fn new() -> Self {
        let predefined = [const { Cell::new(0) }; 7];
        Keys { made: Cell::new(0), keys: RefCell::new(BTreeMap::new()), predefined }
    }
}

/// The keys of attributes that communicators have from the start.
const PREDEFINED: [c_int; 7] =
    [c::TAG_UB, c::IO, c::HOST, c::WTIME_IS_GLOBAL, c::APPNUM, c::LASTUSEDCODE, c::UNIVERSE_SIZE];

/// Sets the predefined attributes, for a number of ranks and the highest class of errors.
pub(crate) fn begin(ranks: u32, last_class: c_int) {
    let rank = |rank| Runtime::raw_integer(rank, IntegerKind::Rank);
    let values = [c_int::MAX, rank(c::ANY_SOURCE), rank(c::PROC_NULL), 1, 0, last_class, ranks as c_int];
    KEYS.predefined.iter().zip(values).for_each(|(place, value)| place.set(value));
}

/// Renews the attribute that has the highest class of errors.
pub(crate) fn note_last_class(class: c_int) {
    let place = PREDEFINED.iter().position(|key| *key == c::LASTUSEDCODE).unwrap_or(0);
    KEYS.predefined[place].set(class);
}

/// The address of the value of a predefined attribute.
pub(crate) fn predefined(number: c_int) -> Option<*mut c_void> {
    let place = PREDEFINED.iter().position(|key| *key == number)?;
    Some(KEYS.predefined[place].as_ptr().cast())
}

/// A key of objects of a kind.
pub(crate) fn key(number: c_int, of: HandleKind) -> Outcome<Rc<Key>> {
    let found = KEYS.keys.borrow().get(&number).filter(|key| key.of == of).cloned();
    let words = || format!("a key of the program for attributes of a {of:?}").to_lowercase();
    found.ok_or_else(|| Error::argument("keyval", number, &words()).of_class(c::ERR_KEYVAL))
}

fn checked(code: c_int) -> Outcome {
    match code {
        c::SUCCESS => Ok(()),
        raw => {
            let words = format!("a function of the program for an attribute has returned {raw}");
            Err(Error::new(Runtime::integer(raw, IntegerKind::Error), words))
        }
    }
}

impl Attribute {
    /// The value for the copy of an object, if it gets one.
    pub fn copied(&self, object: usize) -> Outcome<Option<Attribute>> {
        let Key { of, copy, extra, .. } = *self.key;
        if copy == c::NULL_COPY_FN {
            return Ok(None);
        }
        if copy == c::DUP_FN {
            return Ok(Some(self.clone()));
        }
        let (mut value, mut flag) = (std::ptr::null_mut(), 0);
        // SAFETY: the program has passed a function of this type.
        let code = unsafe {
            let copy = std::mem::transmute::<usize, Copy>(copy);
            let object = Runtime::raw_handle(object, of);
            library().outside(|| copy(object, self.number, extra, self.value, &raw mut value, &raw mut flag))
        };
        checked(code)?;
        Ok((flag != 0).then(|| Attribute { value, ..self.clone() }))
    }

    /// Lets the program delete the value.
    pub fn delete(&self, object: usize) -> Outcome {
        let Key { of, delete, extra, .. } = *self.key;
        if delete == c::NULL_DELETE_FN {
            return Ok(());
        }
        // SAFETY: the program has passed a function of this type.
        checked(unsafe {
            let delete = std::mem::transmute::<usize, Delete>(delete);
            let object = Runtime::raw_handle(object, of);
            library().outside(|| delete(object, self.number, self.value, extra))
        })
    }
}

/// The attributes of an object, in the order in which they were set.
#[derive(Debug, Default)]
pub(crate) struct Attributes(RefCell<Vec<Attribute>>);

impl Attributes {
    /// Copies the attributes of another object, whose handle is given, by their functions.
    ///
    /// # Errors
    /// That of a function of the program.
    pub fn copy_from(&self, other: &Attributes, object: usize) -> Outcome {
        let all = other.0.borrow().clone();
        for attribute in all {
            if let Some(copy) = attribute.copied(object)? {
                self.0.borrow_mut().push(copy);
            }
        }
        Ok(())
    }

    /// Deletes all attributes of an object, whose handle is given, by their functions: those set last first.
    ///
    /// # Errors
    /// That of a function of the program.
    pub fn delete_all(&self, object: usize) -> Outcome {
        while let Some(number) = self.last() {
            self.delete(number, object)?;
        }
        Ok(())
    }

    pub fn last(&self) -> Option<c_int> {
        self.0.borrow().last().map(|attribute| attribute.number)
    }

    pub fn get(&self, number: c_int) -> Option<Attribute> {
        self.0.borrow().iter().find(|attribute| attribute.number == number).cloned()
    }

    /// Deletes an attribute, if there is one.
    pub fn delete(&self, number: c_int, object: usize) -> Outcome {
        if let Some(attribute) = self.get(number) {
            attribute.delete(object)?;
            self.0.borrow_mut().retain(|attribute| attribute.number != number);
        }
        Ok(())
    }

    pub fn set(&self, number: c_int, of: HandleKind, value: Pointer, object: usize) -> Outcome {
        let key = key(number, of)?;
        self.delete(number, object)?;
        self.0.borrow_mut().push(Attribute { number, key, value: value.0 });
        Ok(())
    }

    /// The attribute of a key. One that the program has freed is a key as long as the object has its attribute.
    pub fn find(&self, number: c_int, of: HandleKind) -> Outcome<Option<Attribute>> {
        match self.get(number) {
            Some(attribute) => Ok(Some(attribute)),
            None => key(number, of).map(|_| None),
        }
    }

    pub fn tell(&self, number: c_int, of: HandleKind, (value, flag): (Pointer, Ref<c_int>)) -> Outcome {
        store(self.find(number, of)?.map(|attribute| attribute.value), value, flag);
        Ok(())
    }
}

/// Stores a value at an address of the program, and whether there is one.
pub(crate) fn store(value: Option<*mut c_void>, to: Pointer, flag: Ref<c_int>) {
    flag.set(0, value.is_some().into());
    if let Some(value) = value {
        // SAFETY: the program passes the address of a pointer.
        unsafe { to.0.cast::<*mut c_void>().write_unaligned(value) };
    }
}

pub(crate) fn create(
    of: HandleKind,
    (copy, delete): (Function, Function),
    keyval: Ref<Keyval>,
    extra: Pointer,
) -> Outcome {
    let keys = &KEYS;
    let number = FIRST_KEY + keys.made.get();
    keys.made.set(keys.made.get() + 1);
    let key = Key { of, copy: copy.address, delete: delete.address, extra: extra.0 };
    keys.keys.borrow_mut().insert(number, Rc::new(key));
    keyval.set(0, Keyval(number));
    Ok(())
}

pub(crate) fn free(of: HandleKind, keyval: Ref<Keyval>) -> Outcome {
    key(keyval.get(0).0, of)?;
    KEYS.keys.borrow_mut().remove(&keyval.get(0).0);
    keyval.set(0, Keyval(c::KEYVAL_INVALID));
    Ok(())
}
