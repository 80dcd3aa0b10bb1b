//! Converts input text to plain data, or reports one error: its place, the problem and what is expected.
//!
//! ```text
//!   TOML file --+
//!   JSON result -+--> Document (values + the place of each key) --> read::<T>() --> typed section
//!   Python dict -+        ^                                            |
//!   overrides ------------+                                            +--> InputError
//! ```
//!
//! A document records the place of each key (a line, an option, a preset), so that an error found late, such as a
//! buffer smaller than a packet, still names the line. Expected values come from the JSON Schema of the type.

#![forbid(unsafe_code)]

mod document;
mod error;
mod overrides;
mod read;
pub mod schema;
mod toml_text;

pub use document::{Document, Override};
pub use error::{InputError, inline as inline_value};
pub use overrides::parse_override;
pub use read::{nearest, read, read_with};
pub use toml_text::parse as parse_toml;
