//! Parses TOML text into a document: plain values, and the line of every key.

use super::document::{Document, join};
use super::error::InputError;
use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeTable, DeValue, Error};

/// Parses TOML text. `origin` names the text in error messages and in the places of keys.
///
/// # Errors
/// When the text is not TOML, or has dates, integers beyond 64 bits or numbers that are not finite. The error names the
/// line.
pub fn parse(text: &str, origin: &str) -> Result<Document, InputError> {
    let lines = Lines::of(text, origin);
    if let Some(offset) = text.find('\0') {
        let problem = "a NUL byte: this is not a text file, or a damaged one";
        return Err(InputError::at(lines.place(offset), problem));
    }
    let root = DeTable::parse(text).map_err(|error| lines.syntax_error(&error))?;
    let mut document = Document::new(origin);
    let table = convert_table(root.get_ref(), "", &lines, &mut document)?;
    Ok(document.with_root(table))
}

/// Parses a single value, as after `key =`.
pub(super) fn parse_value(text: &str, origin: &str) -> Result<Value, InputError> {
    let value = DeValue::parse(text)
        .map_err(|error| InputError::at(origin, format!("not a TOML value: {}", error.message())))?;
    // Without a text the place is `origin`: line numbers within an option are of no use.
    let lines = Lines::of("", origin);
    convert(&value, "", &lines, &mut Document::new(origin))
}

/// Finds the line of a byte offset in a text.
struct Lines<'a> {
    is_empty: bool,
    /// The offsets of all line ends: counting them anew for each key would take time quadratic in the text.
    ends: Vec<usize>,
    origin: &'a str,
}

impl<'a> Lines<'a> {
    fn of(text: &str, origin: &'a str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(offset, _)| offset);
        Lines { is_empty: text.is_empty(), ends: ends.collect(), origin }
    }

    fn place(&self, offset: usize) -> String {
        if self.is_empty {
            return self.origin.to_owned();
        }
        let line = 1 + self.ends.partition_point(|&end| end < offset);
        format!("{}:{line}", self.origin)
    }

    fn syntax_error(&self, error: &Error) -> InputError {
        let offset = error.span().map_or(0, |span| span.start);
        InputError::at(self.place(offset), format!("not valid TOML: {}", error.message().replace('\n', ", ")))
    }
}

fn convert_table(
    table: &DeTable<'_>,
    path: &str,
    lines: &Lines<'_>,
    document: &mut Document,
) -> Result<Map<String, Value>, InputError> {
    let mut map = Map::new();
    for (key, value) in table.iter() {
        let path = join(path, key.get_ref());
        document.set_place(&path, lines.place(key.span().start));
        map.insert(key.get_ref().to_string(), convert(value, &path, lines, document)?);
    }
    Ok(map)
}

fn convert(
    value: &Spanned<DeValue<'_>>,
    path: &str,
    lines: &Lines<'_>,
    document: &mut Document,
) -> Result<Value, InputError> {
    let wrong = |problem: String| InputError::at(lines.place(value.span().start), problem).key(path);
    match value.get_ref() {
        DeValue::String(text) => Ok(Value::String(text.to_string())),
        DeValue::Boolean(flag) => Ok(Value::Bool(*flag)),
        DeValue::Integer(integer) => {
            whole_number(integer).ok_or_else(|| wrong(format!("{integer} is beyond 64 bits")))
        }
        DeValue::Float(float) => {
            number(float).ok_or_else(|| wrong(format!("{} is not a finite number", float.as_str())))
        }
        DeValue::Datetime(date) => Err(wrong(format!("{date} is a date, and no key here is one"))),
        DeValue::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                let path = format!("{path}[{index}]");
                document.set_place(&path, lines.place(item.span().start));
                convert(item, &path, lines, document)
            })
            .collect::<Result<_, _>>()
            .map(Value::Array),
        DeValue::Table(table) => convert_table(table, path, lines, document).map(Value::Object),
    }
}

fn whole_number(integer: &DeInteger<'_>) -> Option<Value> {
    let (digits, radix) = (integer.as_str(), integer.radix());
    let signed = i64::from_str_radix(digits, radix).map(Value::from);
    signed.or_else(|_| u64::from_str_radix(digits, radix).map(Value::from)).ok()
}

fn number(float: &DeFloat<'_>) -> Option<Value> {
    float.as_str().parse().ok().and_then(Number::from_f64).map(Value::Number)
}
