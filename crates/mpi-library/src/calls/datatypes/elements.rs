//! Elements: the numbers that the bytes of a datatype are, in the order in which they are sent.
//!
//! A receive counts them, external data have them in another form, and operations combine them.

use std::rc::Rc;

/// The kind of a basic element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Characters, and packed data: no operation is defined for them.
    Opaque,
    Byte,
    Signed,
    Unsigned,
    /// An integer of Fortran, for which no logical operation is defined.
    FortranInteger,
    /// A truth value: any number but 0 is true.
    Logical,
    Float,
    /// A `long double` of C.
    LongDouble,
    Complex,
    LongComplex,
}

/// A basic element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Basic {
    pub kind: Kind,
    pub bytes: u8,
    /// The bytes in the representation "external32".
    pub external_bytes: u8,
}

impl Basic {
    /// The bytes that a processor reads as one number.
    pub fn unit(self) -> u8 {
        match self.kind {
            Kind::Complex | Kind::LongComplex => self.bytes / 2,
            Kind::Opaque
            | Kind::Byte
            | Kind::Signed
            | Kind::Unsigned
            | Kind::FortranInteger
            | Kind::Logical
            | Kind::Float
            | Kind::LongDouble => self.bytes,
        }
    }
}

/// The elements of a datatype.
#[derive(Clone, Debug)]
pub(crate) struct Elements {
    shape: Shape,
    bytes: u64,
    pub number: u64,
    pub external_bytes: u64,
}

#[derive(Clone, Debug)]
enum Shape {
    Nothing,
    Alike(Basic),
    Copies(Rc<Elements>),
    List(Rc<[Elements]>),
}

impl Elements {
    /// No elements.
    pub fn nothing() -> Self {
        Elements { shape: Shape::Nothing, bytes: 0, number: 0, external_bytes: 0 }
    }

    /// One element.
    pub fn one(basic: Basic) -> Self {
        let [bytes, external_bytes] = [basic.bytes, basic.external_bytes].map(u64::from);
        Elements { shape: Shape::Alike(basic), bytes, number: 1, external_bytes }
    }

    /// What all elements are, if they are alike.
    pub fn alike(&self) -> Option<Basic> {
        match self.shape {
            Shape::Alike(basic) => Some(basic),
            Shape::Nothing | Shape::Copies(_) | Shape::List(_) => None,
        }
    }

    /// The elements again and again; none if there are too many.
    pub fn copies(self: &Rc<Self>, count: u64) -> Option<Self> {
        if count == 0 || self.number == 0 {
            return Some(Self::nothing());
        }
        let times = |number: u64| number.checked_mul(count);
        Some(Elements {
            shape: if count == 1 || self.alike().is_some() {
                self.shape.clone()
            } else {
                Shape::Copies(self.clone())
            },
            bytes: times(self.bytes)?,
            number: times(self.number)?,
            external_bytes: times(self.external_bytes)?,
        })
    }

    /// Elements one after the other; none if there are too many.
    pub fn sequence(parts: impl IntoIterator<Item = Elements>) -> Option<Self> {
        let mut list: Vec<Elements> = Vec::new();
        for part in parts.into_iter().filter(|part| part.number > 0) {
            match list.last_mut() {
                Some(last) if last.alike().is_some() && last.alike() == part.alike() => last.add(&part)?,
                _ => list.push(part),
            }
        }
        if list.len() < 2 {
            return Some(list.pop().unwrap_or_else(Self::nothing));
        }
        let mut all = Self::nothing();
        list.iter().try_for_each(|part| all.add(part))?;
        Some(Elements { shape: Shape::List(list.into()), ..all })
    }

    fn add(&mut self, part: &Self) -> Option<()> {
        self.bytes = self.bytes.checked_add(part.bytes)?;
        self.number = self.number.checked_add(part.number)?;
        self.external_bytes = self.external_bytes.checked_add(part.external_bytes)?;
        Some(())
    }

    /// The elements in the first bytes of copies; none if one of them is not complete, or there are no elements.
    pub fn number_in(&self, bytes: u64) -> Option<u64> {
        let copies = bytes.checked_div(self.bytes)?;
        let left = bytes % self.bytes;
        Some(copies * self.number + if left > 0 { self.number_in_part(left)? } else { 0 })
    }

    /// The elements in the first bytes, fewer than all.
    fn number_in_part(&self, bytes: u64) -> Option<u64> {
        match &self.shape {
            Shape::Nothing => None,
            Shape::Alike(basic) => {
                let each = u64::from(basic.bytes);
                bytes.is_multiple_of(each).then(|| bytes / each)
            }
            Shape::Copies(child) => child.number_in(bytes),
            Shape::List(parts) => {
                let (mut left, mut number) = (bytes, 0);
                for part in parts.iter() {
                    if left < part.bytes {
                        return Some(number + if left > 0 { part.number_in_part(left)? } else { 0 });
                    }
                    left -= part.bytes;
                    number += part.number;
                }
                Some(number)
            }
        }
    }

    /// The bytes of the first elements of copies; none if there are too many, or no elements.
    pub fn bytes_of(&self, number: u64) -> Option<u64> {
        let copies = number.checked_div(self.number)?;
        let left = number % self.number;
        copies.checked_mul(self.bytes)?.checked_add(if left > 0 { self.bytes_of_part(left)? } else { 0 })
    }

    /// The bytes of the first elements, fewer than all.
    fn bytes_of_part(&self, number: u64) -> Option<u64> {
        match &self.shape {
            Shape::Nothing => None,
            Shape::Alike(basic) => Some(number * u64::from(basic.bytes)),
            Shape::Copies(child) => child.bytes_of(number),
            Shape::List(parts) => {
                let (mut left, mut bytes) = (number, 0);
                for part in parts.iter() {
                    if left < part.number {
                        return Some(bytes + if left > 0 { part.bytes_of_part(left)? } else { 0 });
                    }
                    left -= part.number;
                    bytes += part.bytes;
                }
                Some(bytes)
            }
        }
    }

    /// Passes all elements on, those that are alike and one after the other together.
    ///
    /// # Errors
    /// That of the function, at which it stops.
    pub fn each<E>(&self, function: &mut impl FnMut(Basic, u64) -> Result<(), E>) -> Result<(), E> {
        match &self.shape {
            Shape::Nothing => Ok(()),
            Shape::Alike(basic) => function(*basic, self.number),
            Shape::Copies(child) => (0..self.number / child.number).try_for_each(|_| child.each(function)),
            Shape::List(parts) => parts.iter().try_for_each(|part| part.each(function)),
        }
    }
}
