//! Datatypes against a model that lists every byte.

use super::arrays::{Dealt, Part, darray_of, subarray_of};
use super::constructors::{Block, indexed_of, resized_of, structure_of, vector_of};
use super::contents::Contents;
use super::predefined::named;
use super::{Buffer, Type};
use crate::abi::Order;
use crate::constants as c;
use proptest::prelude::*;
use std::rc::Rc;

/// How a type is made.
#[derive(Clone, Debug)]
enum Recipe {
    Named(usize),
    Vector(Box<Recipe>, (u64, u64), i64),
    Indexed(Box<Recipe>, Vec<(i64, u64)>),
    Structure(Vec<(i64, u64, Recipe)>),
    Resized(Box<Recipe>, i64, i64),
    Subarray(Box<Recipe>, Vec<(i64, i64, i64)>, bool),
    Darray(Box<Recipe>, Vec<(i64, i64, i64, i64)>, bool),
}

/// Every byte of a type in the order in which it is sent, the sizes of its elements, and its bounds, with whether they
/// are set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Model {
    bytes: Vec<i64>,
    elements: Vec<usize>,
    lower: Option<(i64, bool)>,
    upper: Option<(i64, bool)>,
    alignment: i64,
}

impl Model {
    fn lb(&self) -> i64 {
        self.lower.map_or(0, |bound| bound.0)
    }

    fn extent(&self) -> i64 {
        self.upper.map_or(0, |bound| bound.0) - self.lb()
    }

    /// Adds a copy of another model.
    fn put(&mut self, child: &Model, at: i64) {
        self.bytes.extend(child.bytes.iter().map(|byte| at + byte));
        self.elements.extend(&child.elements);
        let moved = |bound: Option<(i64, bool)>| bound.map(|(bound, is_set)| (bound + at, is_set));
        // Of bounds that are set, or of those that are not if none is.
        let first = |one: (i64, bool), other: (i64, bool)| (!one.1, one.0).cmp(&(!other.1, other.0));
        let last = |one: (i64, bool), other: (i64, bool)| (one.1, one.0).cmp(&(other.1, other.0));
        self.lower = self.lower.into_iter().chain(moved(child.lower)).min_by(|a, b| first(*a, *b));
        self.upper = self.upper.into_iter().chain(moved(child.upper)).max_by(|a, b| last(*a, *b));
        self.alignment = self.alignment.max(child.alignment);
    }

    fn named(constant: usize) -> Self {
        let single = |bytes: i64| Model {
            bytes: (0..bytes).collect(),
            elements: vec![bytes as usize],
            lower: Some((0, false)),
            upper: Some((bytes, false)),
            alignment: bytes,
        };
        let pair = |value: i64, at: i64| {
            let mut made = single(value);
            made.put(&single(4), at);
            made.pad();
            made
        };
        match constant {
            c::LB => Model { lower: Some((0, true)), upper: Some((0, false)), ..Model::default() },
            c::UB => Model { lower: Some((0, false)), upper: Some((0, true)), ..Model::default() },
            c::CHAR => single(1),
            c::INT => single(4),
            c::DOUBLE => single(8),
            c::SHORT_INT => pair(2, 4),
            c::LONG_DOUBLE_INT => pair(16, 16),
            _ => unreachable!("tests use no other one"),
        }
    }

    fn pad(&mut self) {
        if let Some((upper, false)) = &mut self.upper {
            let (lower, alignment) = (self.lower.map_or(0, |bound| bound.0), self.alignment.max(1));
            *upper = lower + (*upper - lower + alignment - 1) / alignment * alignment;
        }
    }

    fn of(recipe: &Recipe) -> Self {
        let mut made = Model::default();
        match recipe {
            Recipe::Named(constant) => return Self::named(*constant),
            Recipe::Vector(child, (count, length), stride) => {
                let child = Self::of(child);
                for (block, copy) in
                    (0..*count as i64).flat_map(|block| (0..*length as i64).map(move |copy| (block, copy)))
                {
                    made.put(&child, block * stride + copy * child.extent());
                }
            }
            Recipe::Indexed(child, blocks) => {
                let child = Self::of(child);
                blocks.iter().for_each(|(at, count)| made.put_all(&child, *at, *count));
            }
            Recipe::Structure(parts) => {
                parts.iter().for_each(|(at, count, child)| made.put_all(&Self::of(child), *at, *count));
                made.pad();
            }
            Recipe::Resized(child, lb, extent) => {
                made = Self::of(child);
                (made.lower, made.upper) = (Some((*lb, true)), Some((lb + extent, true)));
            }
            Recipe::Subarray(child, parts, is_c) => {
                let indices = |&(_, length, start): &(i64, i64, i64)| (start..start + length).collect();
                let sizes: Vec<_> = parts.iter().map(|part| part.0).collect();
                made.put_array(&Self::of(child), &sizes, parts.iter().map(indices).collect(), *is_c);
            }
            Recipe::Darray(child, dealt, is_c) => {
                let indices = |&(size, block, processes, process): &(i64, i64, i64, i64)| {
                    (0..size).filter(|index| index / block % processes == process).collect()
                };
                let sizes: Vec<_> = dealt.iter().map(|dealt| dealt.0).collect();
                made.put_array(&Self::of(child), &sizes, dealt.iter().map(indices).collect(), *is_c);
            }
        }
        made
    }

    fn put_all(&mut self, child: &Model, at: i64, count: u64) {
        (0..count as i64).for_each(|copy| self.put(child, at + copy * child.extent()));
    }

    /// Adds the elements of an array with these indices in each dimension.
    fn put_array(&mut self, child: &Model, sizes: &[i64], indices: Vec<Vec<i64>>, is_c: bool) {
        let slowest_first: Vec<usize> =
            if is_c { (0..sizes.len()).collect() } else { (0..sizes.len()).rev().collect() };
        let mut places = vec![0];
        for dimension in slowest_first {
            let next = |place: &i64| {
                let place = place * sizes[dimension];
                indices[dimension].iter().map(move |index| place + index).collect::<Vec<_>>()
            };
            places = places.iter().flat_map(next).collect();
        }
        places.iter().for_each(|place| self.put(child, place * child.extent()));
        let extent = sizes.iter().product::<i64>() * child.extent();
        (self.lower, self.upper) = (Some((0, true)), Some((extent, true)));
    }

    /// The bytes of copies.
    fn copies(&self, count: u64) -> Vec<i64> {
        let copy = |copy: i64| self.bytes.iter().map(move |byte| byte + copy * self.extent());
        (0..count as i64).flat_map(copy).collect()
    }
}

fn order(is_c: bool) -> Order {
    Order(if is_c { c::ORDER_C } else { c::ORDER_FORTRAN })
}

fn made(recipe: &Recipe) -> Rc<Type> {
    let nothing = Contents::named;
    let type_of = |child: &Recipe| made(child);
    Rc::new(match recipe {
        Recipe::Named(constant) => named(*constant).unwrap(),
        Recipe::Vector(child, blocks, stride) => {
            vector_of(&type_of(child), *blocks, *stride, nothing()).unwrap()
        }
        Recipe::Indexed(child, blocks) => {
            let blocks = blocks.iter().map(|&(at, count)| Block { at, count });
            indexed_of(&type_of(child), blocks, nothing()).unwrap()
        }
        Recipe::Structure(parts) => {
            let part =
                |(at, count, child): &(i64, u64, Recipe)| (Block { at: *at, count: *count }, type_of(child));
            structure_of(&parts.iter().map(part).collect::<Vec<_>>(), nothing()).unwrap()
        }
        Recipe::Resized(child, lb, extent) => resized_of(&type_of(child), *lb, *extent, nothing()).unwrap(),
        Recipe::Subarray(child, parts, is_c) => {
            let part = |&(size, length, start): &(i64, i64, i64)| Part { size, length, start };
            let parts: Vec<_> = parts.iter().map(part).collect();
            subarray_of(&type_of(child), &parts, order(*is_c), nothing()).unwrap()
        }
        Recipe::Darray(child, dealt, is_c) => {
            let dealt = dealt.iter().map(|&(size, block, processes, process)| Dealt {
                size,
                block,
                processes,
                process,
            });
            darray_of(&type_of(child), &dealt.collect::<Vec<_>>(), order(*is_c), nothing()).unwrap()
        }
    })
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let names = vec![c::CHAR, c::INT, c::DOUBLE, c::SHORT_INT, c::LONG_DOUBLE_INT, c::LB, c::UB];
    let leaf = prop::sample::select(names).prop_map(Recipe::Named);
    leaf.prop_recursive(3, 40, 4, |inner| {
        let child = inner.clone().prop_map(Box::new);
        let part = (-20..40_i64, 0..4_u64, inner);
        let rows = (1..5_i64)
            .prop_flat_map(|size| (Just(size), 1..=size))
            .prop_flat_map(|(size, length)| (Just(size), Just(length), 0..=size - length));
        let dealt = (1..9_i64, 1..4_i64, 1..4_i64).prop_flat_map(|(size, block, processes)| {
            (Just(size), Just(block), Just(processes), 0..processes)
        });
        prop_oneof![
            (child.clone(), (0..5_u64, 0..4_u64), -30..60_i64)
                .prop_map(|(child, blocks, stride)| Recipe::Vector(child, blocks, stride)),
            (child.clone(), prop::collection::vec((-30..60_i64, 0..4_u64), 0..5))
                .prop_map(|(child, blocks)| Recipe::Indexed(child, blocks)),
            prop::collection::vec(part, 0..4).prop_map(Recipe::Structure),
            (child.clone(), -8..8_i64, -16..40_i64)
                .prop_map(|(child, lb, extent)| Recipe::Resized(child, lb, extent)),
            (child.clone(), prop::collection::vec(rows, 1..4), any::<bool>())
                .prop_map(|(child, parts, is_c)| Recipe::Subarray(child, parts, is_c)),
            (child, prop::collection::vec(dealt, 1..3), any::<bool>())
                .prop_map(|(child, dealt, is_c)| Recipe::Darray(child, dealt, is_c)),
        ]
    })
}

/// The runs of bytes, no two consecutive ones of them adjacent.
fn blocks(bytes: &[i64]) -> u64 {
    1 + bytes.windows(2).filter(|pair| pair[1] != pair[0] + 1).count() as u64
}

fn check(recipe: &Recipe) -> Result<(), TestCaseError> {
    let (made, model) = (made(recipe), Model::of(recipe));
    prop_assert_eq!((made.lb, made.extent), (model.lb(), model.extent()), "bounds");
    prop_assert_eq!(made.size, model.bytes.len() as u64);
    let (low, high) = (model.bytes.iter().min(), model.bytes.iter().max());
    prop_assert_eq!(
        (made.layout.low, made.layout.high),
        (low.map_or(0, |low| *low), high.map_or(0, |high| high + 1))
    );
    for count in 0..4 {
        prop_assert_eq!(made.blocks(count), blocks(&model.copies(count)), "blocks of {} copies", count);
    }
    check_elements(&made, &model)?;
    check_data(&made, &model)
}

fn check_elements(made: &Type, model: &Model) -> Result<(), TestCaseError> {
    prop_assert_eq!(made.elements.number, model.elements.len() as u64);
    let mut walked = Vec::new();
    let each = &mut |basic: super::Basic, count: u64| {
        walked.extend(std::iter::repeat_n(usize::from(basic.bytes), count as usize));
        Ok::<_, ()>(())
    };
    made.elements.each(each).unwrap();
    prop_assert_eq!(&walked, &model.elements);
    let mut ends = vec![None; 2 * model.bytes.len() + 1];
    let (mut end, mut number) = (0, 0);
    ends[0] = Some(0);
    for bytes in model.elements.iter().chain(&model.elements) {
        (end, number) = (end + bytes, number + 1);
        ends[end] = Some(number);
        prop_assert_eq!(made.elements.bytes_of(number), Some(end as u64));
    }
    for (bytes, number) in ends.iter().enumerate().filter(|_| made.size > 0) {
        prop_assert_eq!(made.elements.number_in(bytes as u64), *number, "elements in {} bytes", bytes);
    }
    Ok(())
}

fn check_data(made: &Type, model: &Model) -> Result<(), TestCaseError> {
    const COPIES: u64 = 3;
    let places = model.copies(COPIES);
    let (low, high) =
        (places.iter().min().map_or(0, |low| *low), places.iter().max().map_or(0, |high| high + 1));
    prop_assert_eq!(made.reach(COPIES).filter(|_| made.size > 0).unwrap_or((0, 0)), (low, high));
    let place = |byte: &i64| (byte - low) as usize;
    let mut memory: Vec<u8> = (0..high - low).map(|byte| (byte % 251) as u8).collect();
    let buffer = Buffer((memory.as_mut_ptr() as usize).wrapping_add_signed(-low as isize));
    let expected: Vec<u8> = places.iter().map(|byte| memory[place(byte)]).collect();
    let mut packed = vec![0; places.len()];
    // SAFETY: the memory has all bytes of the copies, and there is room for them.
    unsafe { made.pack(buffer, COPIES, packed.as_mut_ptr()) };
    prop_assert_eq!(&packed, &expected);
    for bytes in [0, places.len() / 3, places.len() / 2, places.len().saturating_sub(1), places.len()] {
        let sent: Vec<u8> = (0..bytes).map(|byte| (byte % 241) as u8 ^ 0xff).collect();
        let mut expected = memory.clone();
        places.iter().zip(&sent).for_each(|(at, byte)| expected[place(at)] = *byte);
        // SAFETY: as above.
        unsafe { made.unpack(sent.as_ptr(), bytes as u64, buffer) };
        prop_assert_eq!(&memory, &expected, "{} bytes", bytes);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn types_are_as_their_bytes_listed(recipe in recipes()) {
        check(&recipe)?;
    }
}

fn vector(constant: usize, blocks: (u64, u64), stride: i64) -> Type {
    vector_of(&Rc::new(named(constant).unwrap()), blocks, stride, Contents::named()).unwrap()
}

#[test]
fn a_billion_blocks_take_no_memory() {
    let made = vector(c::INT, (1_000_000_000, 1), 8);
    assert_eq!((made.size, made.blocks(1), made.blocks(3)), (4_000_000_000, 1_000_000_000, 2_999_999_998));
    let mut memory = [7_u8; 64];
    // SAFETY: the first 12 bytes of data lie in the first 20 of the buffer.
    unsafe { made.unpack([1; 12].as_ptr(), 12, Buffer(memory.as_mut_ptr() as usize)) };
    assert_eq!(memory.map(|byte| i32::from(byte == 1)).iter().sum::<i32>(), 12);
    assert_eq!((memory[16], memory[20]), (1, 7));
}

#[test]
fn types_that_reach_too_far_are_refused() {
    let int = Rc::new(named(c::INT).unwrap());
    let nothing = Contents::named;
    let most = i64::MAX;
    let far = Rc::new(vector_of(&int, (1, 1 << 40), 0, nothing()).unwrap());
    let words = "the datatype would reach over more bytes than a number of 63 bits can count";
    let refused = [
        vector_of(&int, (1, u64::MAX), 0, nothing()),
        vector_of(&int, (1, 1 << 62), 0, nothing()),
        vector_of(&far, (1, 1 << 40), 0, nothing()),
        vector_of(&int, (3, 1), most, nothing()),
        vector_of(&int, (3, 1), i64::MIN, nothing()),
        indexed_of(&int, [Block { at: most, count: 1 }].into_iter(), nothing()),
        indexed_of(&int, [i64::MIN, most - 8].map(|at| Block { at, count: 1 }).into_iter(), nothing()),
        structure_of(&[(Block { at: most - 3, count: 1 }, int.clone())], nothing()),
        resized_of(&int, most, 1, nothing()),
    ];
    for refused in refused {
        assert_eq!(refused.map(|made| made.size).unwrap_err().words, words);
    }
    let rows = [(1 << 40, 1, 0); 2].map(|(size, length, start)| Part { size, length, start });
    assert_eq!(subarray_of(&int, &rows, order(true), nothing()).unwrap_err().words, words);
}

#[test]
fn types_made_of_others_end_at_a_depth() {
    let mut made = Rc::new(named(c::INT).unwrap());
    let deeper = |child: &Rc<Type>| {
        vector_of(child, (1, 1), 0, Contents::of(c::COMBINER_CONTIGUOUS, [child.clone()])).map(Rc::new)
    };
    for _ in 1..super::DEEPEST {
        made = deeper(&made).unwrap();
    }
    assert_eq!(deeper(&made).unwrap_err().code, c::ERR_TYPE);
}

#[test]
fn every_constant_is_a_type() {
    let datatypes = c::HANDLES.iter().filter(|it| it.kind == c::HandleKind::Datatype);
    for constant in datatypes.filter(|it| it.standard != c::DATATYPE_NULL) {
        let made = named(constant.standard).unwrap_or_else(|| panic!("{} is missing", constant.name));
        let expected = format!("MPI_{}", constant.name.trim_start_matches('_'));
        assert_eq!(made.name.borrow().to_str(), Ok(&expected[..]));
        assert!(made.is_committed.get() && made.is_predefined());
        assert_eq!(made.handle().map(|it| it.0), Some(constant.standard));
    }
    assert!(named(c::DATATYPE_NULL).is_none() && named(0x2ff).is_none());
}

#[test]
fn pairs_lie_as_in_c() {
    let of = |constant: usize| {
        let made = named(constant).unwrap();
        (made.size, made.extent, made.layout.high, made.elements.number)
    };
    // A double ends in the middle of the next unit of 8 bytes.
    assert_eq!(of(c::DOUBLE_INT), (12, 16, 12, 2));
    assert_eq!(of(c::LONG_INT), (12, 16, 12, 2));
    assert_eq!(of(c::SHORT_INT), (6, 8, 8, 2));
    assert_eq!(of(c::FLOAT_INT), (8, 8, 8, 2));
    assert_eq!(of(c::LONG_DOUBLE_INT), (20, 32, 20, 2));
    assert_eq!(of(c::_2DOUBLE_PRECISION), (16, 16, 16, 2));
    assert_eq!(of(c::_2DOUBLE_COMPLEX), (32, 32, 32, 2));
}

#[test]
fn numbers_of_fortran_are_the_smallest_that_do() {
    use super::predefined::{integer_of, real_of};
    let undefined = c::UNDEFINED;
    let real = |p, r| real_of(p, r).map(|found| found.0).ok();
    assert_eq!(real(6, undefined), Some(c::REAL4));
    assert_eq!(real(6, 38), Some(c::REAL8));
    assert_eq!(real(undefined, 300), Some(c::REAL8));
    assert_eq!(real(16, undefined), Some(c::REAL16));
    assert_eq!(real(34, undefined), None);
    assert_eq!(real(undefined, undefined), None);
    assert_eq!(real_of(15, 307).map(|found| found.1), Ok(c::COMPLEX16));
    assert_eq!(
        [2, 3, 9, 10, 38].map(|r| integer_of(r).ok()),
        [Some(c::INTEGER1), Some(c::INTEGER2), Some(c::INTEGER4), Some(c::INTEGER8), Some(c::INTEGER16)]
    );
    assert!(integer_of(39).is_err());
}

/// Copies numbers into external data and back; returns the external ones.
fn external<const N: usize>(constant: usize, native: [u8; N]) -> Result<Vec<u8>, i32> {
    let made = named(constant).unwrap();
    assert_eq!(N as u64 % made.size, 0);
    let count = N as u64 / made.size;
    let (mut converted, mut back) = (vec![0; (count * made.elements.external_bytes) as usize], [0; N]);
    // SAFETY: all have room for the numbers.
    unsafe {
        super::external::convert_all(&made, count, (native.as_ptr(), converted.as_mut_ptr()), true)
            .map_err(|error| error.code)?;
        super::external::convert_all(&made, count, (converted.as_ptr(), back.as_mut_ptr()), false)
            .map_err(|error| error.code)?;
    }
    assert_eq!(back, native);
    Ok(converted)
}

#[test]
fn external_data_have_their_highest_byte_first() {
    assert_eq!(external(c::INT, 0x0102_0304_i32.to_le_bytes()), Ok(vec![1, 2, 3, 4]));
    assert_eq!(external(c::DOUBLE, 1.0_f64.to_le_bytes()), Ok(1.0_f64.to_be_bytes().to_vec()));
    assert_eq!(external(c::C_FLOAT_COMPLEX, [1, 0, 0, 0, 2, 0, 0, 0]), Ok(vec![0, 0, 0, 1, 0, 0, 0, 2]));
    // A long integer has 4 bytes.
    assert_eq!(external(c::LONG, (-2_i64).to_le_bytes()), Ok(vec![255, 255, 255, 254]));
    assert_eq!(external(c::LONG, (1_i64 << 31).to_le_bytes()), Err(c::ERR_CONVERSION));
    assert_eq!(external(c::LONG, (-1_i64 << 31).to_le_bytes()), Ok(vec![0x80, 0, 0, 0]));
    assert_eq!(external(c::LONG, (-1_i64 << 32).to_le_bytes()), Err(c::ERR_CONVERSION));
    assert_eq!(external(c::UNSIGNED_LONG, (1_u64 << 31).to_le_bytes()), Ok(vec![0x80, 0, 0, 0]));
    assert_eq!(external(c::UNSIGNED_LONG, (1_u64 << 32).to_le_bytes()), Err(c::ERR_CONVERSION));
    assert_eq!(external(c::WCHAR, 0x20ac_u32.to_le_bytes()), Ok(vec![0x20, 0xac]));
    assert_eq!(
        external(c::SHORT_INT, [1, 0, 2, 0, 0, 0, 3, 0, 4, 0, 0, 0]),
        Ok(vec![0, 1, 0, 0, 0, 2, 0, 3, 0, 0, 0, 4])
    );
}

#[test]
fn long_doubles_are_external_numbers_of_quadruple_precision() {
    use super::external::{extended, quadruple};
    // The numbers of both forms, as a C compiler writes them: 1, -2.5, the highest, the lowest, infinity.
    let same: [(u128, u128); 5] = [
        (0x3fff_8000_0000_0000_0000, 0x3fff << 112),
        (0xc000_a000_0000_0000_0000, 0xc000_4000 << 96),
        (0x7ffe_ffff_ffff_ffff_ffff, 0x7ffe << 112 | ((1 << 63) - 1) << 49),
        (1, 1 << 49),
        (0x7fff_8000_0000_0000_0000, 0x7fff << 112),
    ];
    for (long, long_as_quadruple) in same {
        assert_eq!(quadruple(long), long_as_quadruple, "{long:x}");
        assert_eq!(extended(long_as_quadruple), long, "{long:x}");
    }
    let half = 1 << 48;
    assert_eq!(extended(0x3fff << 112 | half), 0x3fff_8000_0000_0000_0000, "to the even one");
    assert_eq!(extended((0x3fff << 112) | (3 * half)), 0x3fff_8000_0000_0000_0002, "to the even one");
    assert_eq!(
        extended(0x3fff << 112 | ((1 << 112) - 1)),
        0x4000_8000_0000_0000_0000,
        "to the next power of two"
    );
    assert_eq!(extended((1 << 112) - 1), 0x0001_8000_0000_0000_0000, "to the lowest normal one");
    assert_ne!(extended(0x7fff << 112 | 1), 0x7fff_8000_0000_0000_0000, "no number stays none");
}
