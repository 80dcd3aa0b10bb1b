//! Inputs that are almost right: texts of a corpus, changed in a few places. Fuzz tests of several crates share it.
//!
//! `make fuzz` runs each target with 200,000 cases, `make test` with a few hundred.

use proptest::prelude::*;
use proptest::sample::Index;

/// Values at the limits of types, and of what readers accept.
pub const EXTREMES: &[&str] = &[
    "0",
    "-1",
    "1",
    "255",
    "256",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "1e308",
    "1e-308",
    "-0.0",
    "0.5",
    "nan",
    "inf",
    "true",
    "\"\"",
    "\"infinite\"",
    "[]",
    "{}",
    "[[]]",
    "[0]",
    "[1, 1, 1, 1, 1, 1, 1]",
    "\u{0}",
    "\u{feff}",
    "\n",
    "#",
    "=",
    "...",
    "-",
    "\\",
    "\"",
];

/// A change of one place of a text.
#[derive(Clone, Debug)]
enum Change {
    Byte(Index, u8),
    Insert(Index, Vec<u8>),
    /// Replaces a number or a word by another.
    Word(Index, Vec<u8>),
    Delete(Index, Index),
    Repeat(Index, Index),
    SwapLines(Index, Index),
    Truncate(Index),
}

fn change(words: &'static [&'static str]) -> impl Strategy<Value = Change> {
    let word = || {
        prop_oneof![prop::sample::select(EXTREMES), prop::sample::select(words)]
            .prop_map(|word: &str| word.as_bytes().to_vec())
    };
    prop_oneof![
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        2 => (any::<Index>(), word()).prop_map(|(at, word)| Change::Insert(at, word)),
        6 => (any::<Index>(), word()).prop_map(|(at, word)| Change::Word(at, word)),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Change::Delete(from, to)),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Change::Repeat(from, to)),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(one, other)| Change::SwapLines(one, other)),
        1 => any::<Index>().prop_map(Change::Truncate),
    ]
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+')
}

fn span(text: &[u8], one: Index, other: Index) -> (usize, usize) {
    let (one, other) = (one.index(text.len() + 1), other.index(text.len() + 1));
    (one.min(other), one.max(other))
}

fn apply(text: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Byte(at, byte) if !text.is_empty() => {
            let at = at.index(text.len());
            text[at] = *byte;
        }
        Change::Byte(..) => {}
        Change::Insert(at, word) => {
            let at = at.index(text.len() + 1);
            text.splice(at..at, word.iter().copied());
        }
        Change::Word(at, word) => {
            let at = at.index(text.len() + 1);
            let start = at - text[..at].iter().rev().take_while(|byte| is_word(byte)).count();
            let end = at + text[at..].iter().take_while(|byte| is_word(byte)).count();
            text.splice(start..end, word.iter().copied());
        }
        Change::Delete(one, other) => {
            let (from, to) = span(text, *one, *other);
            text.drain(from..to);
        }
        Change::Repeat(one, other) => {
            let (from, to) = span(text, *one, *other);
            let part = text[from..to.min(from + 200)].to_vec();
            text.splice(to..to, part);
        }
        Change::SwapLines(one, other) => {
            let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
            if !lines.is_empty() {
                let (one, other) = (one.index(lines.len()), other.index(lines.len()));
                lines.swap(one, other);
            }
            *text = lines.concat();
        }
        Change::Truncate(at) => text.truncate(at.index(text.len() + 1)),
    }
}

/// A text of the corpus with one to six changes; `words` are inserted in addition to [`EXTREMES`].
pub fn mutated(corpus: Vec<Vec<u8>>, words: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    (prop::sample::select(corpus), prop::collection::vec(change(words), 1..=6)).prop_map(
        |(mut text, changes)| {
            changes.iter().for_each(|change| apply(&mut text, change));
            text
        },
    )
}
