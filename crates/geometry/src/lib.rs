//! Shapes of tori and meshes of one to six dimensions: coordinates, neighbors and shortest routes of nodes.
//!
//! ```text
//!   node number  <->  coordinates (x varies fastest)
//!        |                  |
//!        +--- neighbor(direction) ---> node, or none at an open edge
//!        +--- route(source, target) -> hops and direction in each dimension
//!        +--- faults.segment(shape, trip) -> the same around dead nodes and links, possibly to a relay
//! ```
//!
//! Geometry has no notion of time, packets or routers. A dimension of length 1 has no links; a wrapped dimension of
//! length 2 has both of its links, and traffic between its two nodes is split evenly over them.

#![forbid(unsafe_code)]

mod direction;
mod faults;
mod route;
mod shape;

pub use direction::Direction;
pub use faults::{
    FaultError, Faults, RouteRequest, RouteSegment, Service, ServiceShares, WithoutCleanEscape,
};
pub use route::{Hops, MinimalRoutes, Preference};
pub use shape::{Coordinates, MAX_DIMENSIONS, MAX_NODES, Shape, ShapeError};
