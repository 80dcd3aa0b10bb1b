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
//!
//! ```
//! use input::{parse_toml, read};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//!
//! #[derive(Debug, Deserialize, JsonSchema)]
//! struct Machine {
//!     nodes: u32,
//! }
//!
//! let document = parse_toml("[machine]\nnodes = 512\n", "small.toml").unwrap();
//! assert_eq!(read::<Machine>(&document, "machine").unwrap().nodes, 512);
//! // An error names the place and the key that was probably meant.
//! let document = parse_toml("[machine]\nnode = 512\n", "small.toml").unwrap();
//! let error = read::<Machine>(&document, "machine").unwrap_err().to_string();
//! assert!(error.contains("small.toml") && error.contains("nodes"), "{error}");
//! ```

#![forbid(unsafe_code)]

mod document;
mod error;
mod overrides;
pub mod quantity;
mod read;
pub mod schema;
mod toml_text;

pub use document::{Document, Names, Override};
pub use error::{InputError, inline as inline_value};
pub use overrides::parse_override;
pub use read::{nearest, read, read_with};
pub use toml_text::parse as parse_toml;
