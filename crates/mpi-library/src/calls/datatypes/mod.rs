//! Datatypes: where the elements of a buffer lie, and how they become the bytes of a message.
//!
//! ```text
//!   constructors, arrays, predefined --> Type { layout: which bytes, elements: which numbers, bounds, contents }
//!
//!   |##--|##--|##|   a vector of 3 blocks of 2 characters, 4 apart   -->   bytes 0, 1, 4, 5, 8, 9 of each copy
//!   <- extent -->
//! ```
//!
//! A type never changes, so that one that the program frees stays valid where it is used.

mod arrays;
mod constructors;
mod contents;
mod elements;
pub(crate) mod external;
mod layout;
mod predefined;
#[cfg(test)]
mod tests;

pub use arrays::{create_darray, create_subarray};
pub use constructors::{
    contiguous, create_hindexed, create_hindexed_block, create_hvector, create_indexed_block, create_resized,
    create_struct, dup, hindexed, hvector, indexed, structure, vector,
};
pub use contents::{get_contents, get_contents_c, get_envelope, get_envelope_c};
pub(crate) use elements::{Basic, Kind};
pub(crate) use predefined::Operand;
#[cfg(test)]
pub(crate) use predefined::named as named_type;
pub use predefined::{create_f90_complex, create_f90_integer, create_f90_real, get_value_index, match_size};

use crate::abi::HandleKind;
use crate::abi::{AddressKind, Buffer, Count, CountAt, Datatype, ExtentAt, Ref, Runtime};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::handles::Objects;
use crate::objects::attributes::Attributes;
use crate::of_process::OfProcess;
use contents::Contents;
use elements::Elements;
use layout::{Layout, Mover};
use std::cell::{Cell, RefCell};
use std::ffi::CString;
use std::rc::Rc;

pub(crate) static DATATYPES: OfProcess<Objects<Type>> = OfProcess::new(Objects::new(HandleKind::Datatype));

/// A datatype.
#[derive(Debug)]
pub(crate) struct Type {
    layout: Rc<Layout>,
    pub elements: Rc<Elements>,
    /// The bytes of data.
    pub size: u64,
    /// The lower bound, and the bytes from there to the next copy.
    pub lb: i64,
    pub extent: i64,
    bounds: Bounds,
    /// What its extent is a multiple of where a structure has it.
    alignment: u64,
    /// What operations combine, if it is predefined.
    pub operand: Option<Operand>,
    contents: Contents,
    /// The types of which it is made, one in the other.
    depth: u32,
    is_committed: Cell<bool>,
    /// Its handle, until it is freed; 0 without one.
    handle: Cell<usize>,
    /// The name that `MPI_Type_get_name` gives.
    pub name: RefCell<CString>,
    pub attributes: Attributes,
}

/// Bounds that the program has set, and not the data: those of the data count where no other is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bounds {
    is_lower_set: bool,
    is_upper_set: bool,
}

/// The most types that are made one of the other.
const DEEPEST: u32 = 1_000;

/// The error of a type that is too large.
fn too_large() -> Error {
    Error::new(c::ERR_ARG, "the datatype would reach over more bytes than a number of 63 bits can count")
}

impl Type {
    /// A type with this layout and these elements, from its first to its last byte.
    fn new(layout: Layout, elements: Elements, contents: Contents) -> Outcome<Self> {
        let extent = layout.high.checked_sub(layout.low).ok_or_else(too_large)?;
        let depth = 1 + contents.types.iter().map(|child| child.depth).max().unwrap_or(0);
        if depth > DEEPEST {
            let words = format!("the datatype is made of others in {depth} levels; {DEEPEST} is the limit");
            return Err(Error::new(c::ERR_TYPE, words));
        }
        Ok(Type {
            size: layout.bytes,
            lb: layout.low,
            extent,
            layout: Rc::new(layout),
            elements: Rc::new(elements),
            bounds: Bounds::default(),
            alignment: 1,
            operand: None,
            contents,
            depth,
            is_committed: Cell::new(false),
            handle: Cell::new(0),
            name: RefCell::default(),
            attributes: Attributes::default(),
        })
    }

    /// A datatype without data.
    pub fn nothing() -> Self {
        Type {
            size: 0,
            lb: 0,
            extent: 0,
            layout: Rc::new(Layout::nothing()),
            elements: Rc::new(Elements::nothing()),
            bounds: Bounds::default(),
            alignment: 1,
            operand: None,
            contents: Contents::named(),
            depth: 0,
            is_committed: Cell::new(true),
            handle: Cell::new(0),
            name: RefCell::default(),
            attributes: Attributes::default(),
        }
    }

    /// Bytes in one piece.
    fn bytes(bytes: u64) -> Self {
        let layout = Layout::run(0, bytes).unwrap_or_else(Layout::nothing);
        Type { size: layout.bytes, extent: layout.high, layout: Rc::new(layout), ..Self::nothing() }
    }

    /// An equal type without handle, name and attributes.
    fn duplicate(&self) -> Self {
        Type {
            layout: self.layout.clone(),
            elements: self.elements.clone(),
            contents: self.contents.clone(),
            is_committed: self.is_committed.clone(),
            handle: Cell::new(0),
            name: RefCell::default(),
            attributes: Attributes::default(),
            ..*self
        }
    }

    /// The upper bound.
    fn ub(&self) -> i64 {
        self.lb + self.extent
    }

    /// Whether the program cannot free it.
    fn is_predefined(&self) -> bool {
        self.contents.is_predefined()
    }

    /// The handle; none of a type that has been freed.
    pub fn handle(&self) -> Option<Datatype> {
        Some(Datatype(self.handle.get())).filter(|handle| handle.0 != 0)
    }

    /// Adds the type to those of the program; returns its handle.
    pub fn publish(self: Rc<Self>) -> Datatype {
        let handle = DATATYPES.add(self.clone());
        self.handle.set(handle);
        Datatype(handle)
    }

    /// Takes the type from those of the program.
    pub fn withdraw(&self) {
        DATATYPES.remove(self.handle.replace(0));
    }

    /// The first byte of `count` copies, and the one after the last; none if they reach too far.
    pub fn reach(&self, count: u64) -> Option<(i64, i64)> {
        let span = layout::span(count, self.extent)?;
        Some((self.layout.low.checked_add(span.min(0))?, self.layout.high.checked_add(span.max(0))?))
    }

    /// The blocks of memory in which `count` copies lie, no two consecutive ones of them adjacent.
    pub fn blocks(&self, count: u64) -> u64 {
        if self.size == 0 || count == 0 { 1 } else { self.layout.blocks_of(count, self.extent) }
    }

    /// Copies data from a buffer into the bytes of a message.
    ///
    /// # Safety
    /// The buffer has `count` copies of the datatype, and the message has room for them.
    pub unsafe fn pack(&self, buffer: Buffer, count: u64, to: *mut u8) {
        self.layout.walk_copies(buffer.0 as i64, count, self.extent, &mut Packing(to));
    }

    /// Copies the first `bytes` bytes of a message into a buffer.
    ///
    /// # Safety
    /// The buffer has room for as many copies of the datatype, and the message has these bytes.
    pub unsafe fn unpack(&self, from: *const u8, bytes: u64, buffer: Buffer) {
        self.layout.walk_first_of_copies(buffer.0 as i64, bytes, self.extent, &mut Unpacking(from));
    }
}

/// Copies runs of bytes at addresses into a message. Whoever makes it says that it has room for them.
struct Packing(*mut u8);

/// Copies a message into runs of bytes at addresses. Whoever makes it says that there is room for them.
struct Unpacking(*const u8);

/// Copies a few bytes, mostly the size of a number, or many.
///
/// # Safety
/// As that of [`std::ptr::copy_nonoverlapping`].
#[inline(always)]
unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller says so.
    unsafe {
        match bytes {
            4 => to.copy_from_nonoverlapping(from, 4),
            8 => to.copy_from_nonoverlapping(from, 8),
            _ => to.copy_from_nonoverlapping(from, bytes),
        }
    }
}

/// Passes the places of strided runs on; the compiler knows the length of those that are numbers.
#[inline(always)]
fn strided(at: i64, bytes: usize, count: u64, stride: i64, mut each: impl FnMut(i64, usize)) {
    let places = (0..count as i64).map(|number| at.wrapping_add(number.wrapping_mul(stride)));
    match bytes {
        4 => places.for_each(|at| each(at, 4)),
        8 => places.for_each(|at| each(at, 8)),
        16 => places.for_each(|at| each(at, 16)),
        _ => places.for_each(|at| each(at, bytes)),
    }
}

impl Mover for Packing {
    fn run(&mut self, at: i64, bytes: u64) {
        // SAFETY: the run is at this address, and the message has room for it.
        unsafe {
            copy(at as usize as *const u8, self.0, bytes as usize);
            self.0 = self.0.add(bytes as usize);
        }
    }

    fn strided(&mut self, at: i64, bytes: u64, count: u64, stride: i64) {
        // SAFETY: as in `run`.
        strided(at, bytes as usize, count, stride, |at, bytes| unsafe {
            self.0.copy_from_nonoverlapping(at as usize as *const u8, bytes);
            self.0 = self.0.add(bytes);
        });
    }
}

impl Mover for Unpacking {
    fn run(&mut self, at: i64, bytes: u64) {
        // SAFETY: the message has these bytes, and there is room for the run at this address.
        unsafe {
            copy(self.0, at as usize as *mut u8, bytes as usize);
            self.0 = self.0.add(bytes as usize);
        }
    }

    fn strided(&mut self, at: i64, bytes: u64, count: u64, stride: i64) {
        // SAFETY: as in `run`.
        strided(at, bytes as usize, count, stride, |at, bytes| unsafe {
            (at as usize as *mut u8).copy_from_nonoverlapping(self.0, bytes);
            self.0 = self.0.add(bytes);
        });
    }
}

/// The datatype of a handle, which may not be committed.
///
/// # Errors
/// If there is none.
pub(crate) fn of(datatype: Datatype) -> Outcome<Rc<Type>> {
    let found = match datatype.0 {
        constant if constant < c::FIRST_OWN_HANDLE => {
            crate::calls::datatypes::predefined::PREDEFINED.get(datatype)
        }
        handle => DATATYPES.get(handle),
    };
    found.ok_or_else(|| {
        let is_null = datatype.0 == c::DATATYPE_NULL;
        Error::new(
            c::ERR_TYPE,
            if is_null { "datatype is MPI_DATATYPE_NULL" } else { "datatype is no datatype" },
        )
    })
}

/// The datatype of a handle, for data.
///
/// # Errors
/// If there is none, or it is not committed.
pub(crate) fn committed(datatype: Datatype) -> Outcome<Rc<Type>> {
    let found = of(datatype)?;
    if !found.is_committed.get() {
        return Err(Error::new(
            c::ERR_TYPE,
            "datatype is not committed: MPI_Type_commit comes before its use",
        ));
    }
    Ok(found)
}

/// A number of elements.
///
/// # Errors
/// If it is negative.
pub(crate) fn counted(count: Count) -> Outcome<u64> {
    u64::try_from(count.0)
        .map_err(|_| Error::new(c::ERR_COUNT, format!("count = {}: it is a number from 0", count.0)))
}

/// Data in a buffer of the program.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub buffer: Buffer,
    pub count: u64,
    pub datatype: Rc<Type>,
}

impl Data {
    /// The data that arguments name.
    ///
    /// # Errors
    /// If the count is negative, or there is no such datatype, or it is not committed.
    pub fn of(buffer: Buffer, count: Count, datatype: Datatype) -> Outcome<Self> {
        let datatype = committed(datatype)?;
        Ok(Data { buffer, count: counted(count)?, datatype })
    }

    /// The bytes of a value of the library, which is only integers.
    pub fn of_library<T: ?Sized>(value: &mut T) -> Self {
        let datatype = Rc::new(Type::bytes(size_of_val(value) as u64));
        Data { buffer: Buffer(std::ptr::from_mut(value).cast::<u8>() as usize), count: 1, datatype }
    }

    /// The bytes of the data.
    pub fn bytes(&self) -> u64 {
        self.count.saturating_mul(self.datatype.size)
    }

    /// Memory for the data when they are packed.
    ///
    /// # Errors
    /// If the host has no room for it: a program may name any length.
    pub fn room_for_packed(&self) -> Outcome<Vec<u8>> {
        let bytes = self.bytes() as usize;
        // Whether there is as much; none is touched.
        let is_there = Vec::<u8>::new().try_reserve_exact(bytes);
        is_there.map_err(|_| Error::new(c::ERR_NO_MEM, "there is no memory for the packed data"))?;
        Ok(vec![0; bytes])
    }

    /// Some copies of the datatype, behind others.
    pub fn part(&self, before: u64, count: u64) -> Self {
        let skipped = (before as isize).wrapping_mul(self.datatype.extent as isize);
        Data {
            buffer: Buffer(self.buffer.0.wrapping_add_signed(skipped)),
            count,
            datatype: self.datatype.clone(),
        }
    }

    /// The blocks of memory in which they lie.
    pub fn blocks(&self) -> u64 {
        self.datatype.blocks(self.count)
    }

    /// Copies the data into a message.
    ///
    /// # Safety
    /// The program has passed a valid buffer, and there is room for the bytes.
    pub unsafe fn pack(&self, to: *mut u8) {
        // SAFETY: the caller says so.
        unsafe { self.datatype.pack(self.buffer, self.count, to) }
    }

    /// Copies the bytes of a message, at most those for which there is room; returns their number.
    ///
    /// # Safety
    /// The program has passed a valid buffer, and the message has these bytes.
    pub unsafe fn unpack(&self, from: *const u8, bytes: u64) -> u64 {
        let bytes = bytes.min(self.bytes());
        // SAFETY: the caller says so.
        unsafe { self.datatype.unpack(from, bytes, self.buffer) };
        bytes
    }
}

/// A number of bytes that is less than 2^63, as all sizes of types are.
fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// `MPI_Type_commit`.
///
/// # Errors
/// If there is no such datatype.
pub fn commit(datatype: Ref<Datatype>) -> Outcome {
    of(datatype.get(0))?.is_committed.set(true);
    Ok(())
}

/// `MPI_Type_free`. Types that are made of it and calls that use it keep it.
///
/// # Errors
/// If there is no such datatype, or it is predefined.
pub fn free(datatype: Ref<Datatype>) -> Outcome {
    let found = of(datatype.get(0))?;
    if found.is_predefined() {
        let name = found.name.borrow().to_string_lossy().into_owned();
        let words = format!("datatype is {name}: a predefined one cannot be freed");
        return Err(Error::new(c::ERR_TYPE, words));
    }
    found.attributes.delete_all(datatype.get(0).0)?;
    found.withdraw();
    datatype.set(0, Datatype(c::DATATYPE_NULL));
    Ok(())
}

/// `MPI_Type_size`.
///
/// # Errors
/// If there is no such datatype.
pub fn size(datatype: Datatype, size: CountAt) -> Outcome {
    size.0.set(0, signed(of(datatype)?.size));
    Ok(())
}

/// `MPI_Type_size_x`.
///
/// # Errors
/// If there is no such datatype.
pub fn size_x(datatype: Datatype, size: Ref<i64>) -> Outcome {
    size.set(0, signed(of(datatype)?.size));
    Ok(())
}

/// `MPI_Type_get_extent`.
///
/// # Errors
/// If there is no such datatype.
pub fn get_extent(datatype: Datatype, lb: ExtentAt, extent: ExtentAt) -> Outcome {
    let found = of(datatype)?;
    lb.0.set(0, found.lb);
    extent.0.set(0, found.extent);
    Ok(())
}

/// `MPI_Type_get_extent_x`.
///
/// # Errors
/// If there is no such datatype.
pub fn get_extent_x(datatype: Datatype, lb: Ref<i64>, extent: Ref<i64>) -> Outcome {
    let found = of(datatype)?;
    lb.set(0, found.lb);
    extent.set(0, found.extent);
    Ok(())
}

/// `MPI_Type_get_true_extent`.
///
/// # Errors
/// If there is no such datatype.
pub fn get_true_extent(datatype: Datatype, true_lb: ExtentAt, true_extent: ExtentAt) -> Outcome {
    let layout = of(datatype)?.layout.clone();
    true_lb.0.set(0, layout.low);
    true_extent.0.set(0, layout.high - layout.low);
    Ok(())
}

/// `MPI_Type_get_true_extent_x`.
///
/// # Errors
/// If there is no such datatype.
pub fn get_true_extent_x(datatype: Datatype, true_lb: Ref<i64>, true_extent: Ref<i64>) -> Outcome {
    let layout = of(datatype)?.layout.clone();
    true_lb.set(0, layout.low);
    true_extent.set(0, layout.high - layout.low);
    Ok(())
}

/// `MPI_Type_extent`.
///
/// # Errors
/// If there is no such datatype.
pub fn extent(datatype: Datatype, extent: Ref<isize>) -> Outcome {
    extent.set(0, of(datatype)?.extent as isize);
    Ok(())
}

/// `MPI_Type_lb`.
///
/// # Errors
/// If there is no such datatype.
pub fn lb(datatype: Datatype, displacement: Ref<isize>) -> Outcome {
    displacement.set(0, of(datatype)?.lb as isize);
    Ok(())
}

/// `MPI_Type_ub`.
///
/// # Errors
/// If there is no such datatype.
pub fn ub(datatype: Datatype, displacement: Ref<isize>) -> Outcome {
    displacement.set(0, of(datatype)?.ub() as isize);
    Ok(())
}

/// `MPI_Get_address`.
///
/// # Errors
/// None.
pub fn get_address(location: Buffer, address: Ref<isize>) -> Outcome {
    address.set(0, Runtime::raw_address(location.0, AddressKind::Buffer) as isize);
    Ok(())
}

/// `MPI_Address`.
///
/// # Errors
/// None.
pub fn address(location: Buffer, address: Ref<isize>) -> Outcome {
    get_address(location, address)
}

/// `MPI_Aint_add`.
pub fn aint_add(base: isize, disp: isize) -> isize {
    base.wrapping_add(disp)
}

/// `MPI_Aint_diff`.
pub fn aint_diff(addr1: isize, addr2: isize) -> isize {
    addr1.wrapping_sub(addr2)
}
