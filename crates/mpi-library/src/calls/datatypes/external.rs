//! External data: numbers in the representation "external32" of the standard, in which the highest byte comes first.

use super::Type;
use super::elements::{Basic, Kind};
use crate::constants as c;
use crate::error::{Error, Outcome};

/// Copies numbers and turns the order of their bytes around.
///
/// # Safety
/// There are `numbers` numbers of `bytes` bytes, and there is room for them.
unsafe fn turn(from: *const u8, to: *mut u8, numbers: u64, bytes: u8) {
    let bytes = usize::from(bytes);
    for number in 0..numbers as usize {
        for byte in 0..bytes {
            // SAFETY: the caller says so.
            unsafe { *to.add(number * bytes + bytes - 1 - byte) = *from.add(number * bytes + byte) };
        }
    }
}

/// The bytes of a number, in the order of the host, as those of a longer or a shorter one; none if it does not fit.
fn resized(bytes: &[u8], length: u8, is_signed: bool) -> Option<Vec<u8>> {
    let fill = if is_signed && bytes.last().is_some_and(|highest| highest & 0x80 != 0) { 0xff } else { 0 };
    let length = usize::from(length);
    let mut resized = bytes.to_vec();
    resized.resize(length, fill);
    let cut = bytes.get(length..).unwrap_or_default();
    let keeps_sign = !is_signed || resized.last().map(|highest| highest & 0x80) == Some(fill & 0x80);
    (cut.iter().all(|byte| *byte == fill) && (cut.is_empty() || keeps_sign)).then_some(resized)
}

/// The bits of a number of IEEE's quadruple precision for an extended one of x87, which it can always be.
#[cfg(any(target_arch = "x86_64", test))]
pub(super) fn quadruple(extended: u128) -> u128 {
    let (head, mantissa) = ((extended >> 64) & 0xffff, extended & u128::from(u64::MAX));
    // The highest bit of the mantissa is implicit in the other form.
    head << 112 | (mantissa << 1 & u128::from(u64::MAX)) << 48
}

/// The bits of the extended number of x87 that is nearest to one of quadruple precision.
#[cfg(any(target_arch = "x86_64", test))]
pub(super) fn extended(quadruple: u128) -> u128 {
    let (head, fraction) = (quadruple >> 112, quadruple & ((1 << 112) - 1));
    let exponent = head & 0x7fff;
    let whole = u128::from(exponent != 0) << 63;
    let (kept, cut) = (fraction >> 49, fraction & ((1 << 49) - 1));
    if exponent == 0x7fff {
        // A payload stays different from infinity.
        let kept = if kept == 0 && cut != 0 { 1 << 62 } else { kept };
        return head << 64 | whole | kept;
    }
    let is_up = cut > 1 << 48 || cut == 1 << 48 && kept & 1 == 1;
    let mantissa = (whole | kept) + u128::from(is_up);
    match mantissa >> 64 {
        // Rounded up to the next power of two.
        1 => (head + 1) << 64 | 1 << 63,
        // The lowest normal number has the exponent 1.
        _ if exponent == 0 && mantissa >> 63 == 1 => (head + 1) << 64 | mantissa,
        _ => head << 64 | mantissa,
    }
}

/// Converts numbers of C's `long double`.
///
/// # Safety
/// As that of [`turn`].
unsafe fn convert_long(from: *const u8, to: *mut u8, numbers: u64, is_outward: bool) {
    for number in 0..numbers as usize {
        // SAFETY: the caller says so.
        unsafe {
            let (from, to) = (from.cast::<u128>().add(number), to.cast::<u128>().add(number));
            #[cfg(target_arch = "x86_64")]
            to.write_unaligned(if is_outward {
                quadruple(from.read_unaligned()).to_be()
            } else {
                extended(u128::from_be(from.read_unaligned()))
            });
            #[cfg(not(target_arch = "x86_64"))]
            to.write_unaligned(from.read_unaligned().swap_bytes());
        }
    }
}

/// Converts elements that are alike, from the form of the host or into it.
///
/// # Safety
/// There are these elements, and there is room for them.
unsafe fn convert(basic: Basic, count: u64, from: *const u8, to: *mut u8, is_outward: bool) -> Outcome {
    let Basic { kind, bytes, external_bytes } = basic;
    if matches!(kind, Kind::LongDouble | Kind::LongComplex) {
        // SAFETY: the caller says so.
        unsafe { convert_long(from, to, count * u64::from(bytes / basic.unit()), is_outward) };
        return Ok(());
    }
    if bytes == external_bytes {
        // SAFETY: the caller says so.
        unsafe { turn(from, to, count * u64::from(bytes / basic.unit()), basic.unit()) };
        return Ok(());
    }
    let (length, new_length) = if is_outward { (bytes, external_bytes) } else { (external_bytes, bytes) };
    for number in 0..count as usize {
        // SAFETY: the caller says so.
        let number_bytes =
            unsafe { std::slice::from_raw_parts(from.add(number * usize::from(length)), length.into()) };
        let mut number_bytes = number_bytes.to_vec();
        if !is_outward {
            number_bytes.reverse();
        }
        let resized = resized(&number_bytes, new_length, kind == Kind::Signed);
        let mut resized = resized.ok_or_else(|| {
            let words = format!(
                "a number does not fit into the {external_bytes} bytes that external data have for it"
            );
            Error::new(c::ERR_CONVERSION, words)
        })?;
        if is_outward {
            resized.reverse();
        }
        // SAFETY: the caller says so.
        unsafe { to.add(number * resized.len()).copy_from_nonoverlapping(resized.as_ptr(), resized.len()) };
    }
    Ok(())
}

/// Converts copies of a type, whose bytes are those of a message, into external data, or external data into them.
///
/// # Errors
/// If a number does not fit.
///
/// # Safety
/// There are these copies, and there is room for them.
pub(crate) unsafe fn convert_all(
    datatype: &Type,
    count: u64,
    (from, to): (*const u8, *mut u8),
    is_outward: bool,
) -> Outcome {
    let (mut from, mut to) = (from, to);
    let mut convert = |basic: Basic, count: u64| {
        let [bytes, external] =
            [basic.bytes, basic.external_bytes].map(|bytes| usize::from(bytes) * count as usize);
        let (read, written) = if is_outward { (bytes, external) } else { (external, bytes) };
        // SAFETY: the caller says so.
        unsafe {
            convert(basic, count, from, to, is_outward)?;
            (from, to) = (from.add(read), to.add(written));
        }
        Ok(())
    };
    match datatype.elements.alike() {
        Some(basic) => convert(basic, count * datatype.elements.number),
        None => (0..count).try_for_each(|_| datatype.elements.each(&mut convert)),
    }
}
