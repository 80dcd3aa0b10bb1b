//! Handles: numbers for the objects that a program makes. Those of constants are below 4,096.

use crate::abi::HandleKind;
use std::cell::RefCell;
use std::rc::Rc;

/// The handle of the first object of a kind: what no constant of any interface is, and an `int` can be.
const FIRST: usize = 0xc000_0000;
const KIND_SHIFT: u32 = 26;

/// The objects of a kind, by their handles.
#[derive(Debug)]
pub(crate) struct Objects<T> {
    kind: HandleKind,
    objects: RefCell<Vec<Option<Rc<T>>>>,
    free: RefCell<Vec<usize>>,
}

impl<T> Objects<T> {
    pub const fn new(kind: HandleKind) -> Self {
        Objects { kind, objects: RefCell::new(Vec::new()), free: RefCell::new(Vec::new()) }
    }

    fn first(&self) -> usize {
        FIRST | (self.kind as usize) << KIND_SHIFT
    }

    /// Adds an object; returns its handle.
    pub fn add(&self, object: Rc<T>) -> usize {
        let mut objects = self.objects.borrow_mut();
        let place = self.free.borrow_mut().pop().unwrap_or_else(|| {
            objects.push(None);
            objects.len() - 1
        });
        objects[place] = Some(object);
        self.first() + place
    }

    /// The object of a handle, if it is one.
    pub fn get(&self, handle: usize) -> Option<Rc<T>> {
        self.objects.borrow().get(handle.checked_sub(self.first())?)?.clone()
    }

    /// The handle of the first object that is alike.
    pub fn find(&self, is_alike: impl Fn(&T) -> bool) -> Option<usize> {
        let objects = self.objects.borrow();
        let place = objects.iter().position(|object| object.as_ref().is_some_and(|object| is_alike(object)));
        place.map(|place| self.first() + place)
    }

    /// Removes the object of a handle.
    pub fn remove(&self, handle: usize) -> Option<Rc<T>> {
        let place = handle.checked_sub(self.first())?;
        let removed = self.objects.borrow_mut().get_mut(place)?.take();
        if removed.is_some() {
            self.free.borrow_mut().push(place);
        }
        removed
    }
}
