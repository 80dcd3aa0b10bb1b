//! One text line of a liballprof trace: fields separated by colons.
//!
//! ```text
//!   MPI_Recv:1237666047187471.000000:11251872:4500:11,8,46909632806920:1:3000:0,0,4:140737488340112:1237666047238935.000000
//!            start, microseconds     buffer   |    type,size,garbage   | tag  |     status          end
//!                                             count               source      communicator,rank,size
//! ```
//!
//! An array of counts is two fields, its address and its elements.

use crate::error::{Problem, problem, shown};
use crate::recorder::{data_length, length};
use mpi::Lengths;

/// More fields than any call has.
const MAX_FIELDS: usize = 24;

/// The fields of a text line.
pub(super) struct Fields<'a> {
    parts: [&'a str; MAX_FIELDS],
    count: usize,
}

impl<'a> Fields<'a> {
    pub fn new(text: &'a str) -> Self {
        let (mut parts, mut count) = ([""; MAX_FIELDS], 0);
        for part in text.split(':') {
            if count < MAX_FIELDS {
                parts[count] = part;
            }
            count += 1;
        }
        Fields { parts, count }
    }

    /// The name of the call.
    pub fn name(&self) -> &'a str {
        self.parts[0]
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Checks the number of fields against a layout, which has `more` fields than it names.
    pub fn check(&self, name: &str, layout: &str, more: usize) -> Result<(), Problem> {
        let expected = layout.bytes().filter(|&byte| byte == b':').count() + 2 + more;
        if self.count == expected {
            return Ok(());
        }
        Err(problem(format!("{} fields instead of {expected}", self.count), format!("`{name}:{layout}`")))
    }

    /// Start and end of the call, in picoseconds.
    pub fn span(&self) -> Result<(u128, u128), Problem> {
        let (start, end) = (self.time(1)?, self.time(self.count.min(MAX_FIELDS) - 1)?);
        if end < start {
            return Err(problem(
                "the call ends before it starts",
                "the last field is not less than the second",
            ));
        }
        Ok((start, end))
    }

    /// A time in microseconds with a fraction, converted exactly to picoseconds; further digits are dropped.
    pub fn time(&self, index: usize) -> Result<u128, Problem> {
        let text = self.parts[index];
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() > 18 || !is_digits(whole) || !is_digits(fraction) {
            return Err(problem(
                format!("`{}` is not a time (field {})", shown(text), index + 1),
                "microseconds such as 1237666047187471.000000",
            ));
        }
        let value =
            |digits: &str| digits.bytes().fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'));
        let fraction = &fraction[..fraction.len().min(6)];
        let picoseconds = value(fraction) * 10u64.pow(6 - fraction.len() as u32);
        Ok(u128::from(value(whole)) * 1_000_000 + u128::from(picoseconds))
    }

    pub fn number(&self, index: usize, meaning: &str, low: i64, high: i64) -> Result<i64, Problem> {
        number(self.parts[index], meaning, low, high)
    }

    /// An address, such as that of a request.
    pub fn address(&self, index: usize) -> Result<u64, Problem> {
        let text = self.parts[index];
        text.parse().map_err(|_| problem(format!("address `{}`", shown(text)), "a number"))
    }

    /// Count times size.
    pub fn bytes(&self, count: usize, datatype: usize) -> Result<u64, Problem> {
        let count = self.number(count, "count", 0, i32::MAX.into())?;
        length(count as u64, self.size(datatype)?)
    }

    /// Count times size, for data that need not be one message.
    pub fn data_bytes(&self, count: usize, datatype: usize) -> Result<u64, Problem> {
        let count = self.number(count, "count", 0, i32::MAX.into())?;
        data_length(count as u64, self.size(datatype)?)
    }

    /// The lengths of the blocks of an array of counts.
    pub fn lengths(&self, counts: usize, datatype: usize) -> Result<Lengths, Problem> {
        let size = self.size(datatype)?;
        let of = |count: &str| length(number(count, "count", 0, i32::MAX.into())? as u64, size);
        let lengths: Result<Vec<u64>, Problem> = self.parts[counts].split(',').map(of).collect();
        Ok(Lengths::new(lengths?))
    }

    /// The size in `type,size,extra`. The third part is garbage in traces of 64-bit machines.
    fn size(&self, datatype: usize) -> Result<u64, Problem> {
        let text = self.parts[datatype];
        let mut parts = text.split(',');
        let (_, Some(size), Some(_), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
            return Err(problem(format!("`{}` is not a datatype", shown(text)), "`type,size,extra`"));
        };
        Ok(number(size, "size of the datatype", 0, i32::MAX.into())? as u64)
    }

    /// The three parts of `communicator,rank,size`, and the text.
    pub fn communicator(&self, index: usize) -> Result<(u64, u32, u32, &'a str), Problem> {
        let text = self.parts[index];
        let mut parts = text.split(',');
        let wrong =
            || problem(format!("`{}` is not a communicator", shown(text)), "`communicator,rank,size`");
        let mut part = || parts.next().ok_or_else(wrong)?.parse::<i64>().map_err(|_| wrong());
        let (handle, rank, size) = (part()?, part()?, part()?);
        let (Ok(rank), Ok(size)) = (u32::try_from(rank), u32::try_from(size)) else { return Err(wrong()) };
        if parts.next().is_some() || rank >= size {
            return Err(wrong());
        }
        Ok((handle as u64, rank, size, text))
    }
}

fn number(text: &str, meaning: &str, low: i64, high: i64) -> Result<i64, Problem> {
    let wrong = || problem(format!("{meaning} `{}`", shown(text)), format!("a number from {low} to {high}"));
    let number = text.parse().map_err(|_| wrong())?;
    if (low..=high).contains(&number) { Ok(number) } else { Err(wrong()) }
}
