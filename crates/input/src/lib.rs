//! The door: text from outside becomes plain data, or one message that says where, what, and what would be right.
//!
//! ```text
//!   TOML file --+
//!   JSON result -+--> Document (values + the place of each key) --> read::<T>() --> typed section
//!   Python dict -+        ^                                            |
//!   overrides ------------+                                            +--> InputError
//! ```
//!
//! A document remembers where each key came from (a line, an option, a preset), so that an error found late, such as a
//! buffer below a packet, still names the line. What would be right is read off the JSON Schema of the type.

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
