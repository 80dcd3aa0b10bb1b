//! Shapes of tori and meshes of one to six dimensions: coordinates, neighbors and shortest routes of nodes.
//!
//! ```text
//!   node number  <->  coordinates (x varies fastest)
//!        |                  |
//!        +--- neighbor(direction) ---> node, or none at an open edge
//!        +--- route(source, target) -> hops and direction in each dimension
//!        +--- faults.segment(shape, request) -> a route around dead nodes and links, possibly to a relay
//! ```
//!
//! Geometry has no notion of time, packets or routers. A dimension of length 1 has no links; a wrapped dimension of
//! length 2 has both of its links. Traffic between its two nodes is split evenly over them, unless the machine has another
//! rule for targets half-way round a ring ([`HalfWay`]). Crossing the wrap of a dimension may shift others ([`Twist`]).
//!
//! ```
//! use geometry::{Direction, Shape};
//!
//! let shape = Shape::torus(&[8, 8, 4]).unwrap();
//! let (source, target) = (0, shape.node(&shape.coordinates(7 + 8 * 2)));
//! // One hop against the ring in x, two hops along y.
//! assert_eq!(shape.route(source, target, 0).0[..3], [-1, 2, 0]);
//! assert_eq!(shape.distance(source, target), 3);
//! let minus_x = Direction::named("x-").unwrap();
//! assert_eq!(shape.neighbor(source, minus_x), Some(7));
//! ```

#![forbid(unsafe_code)]

mod direction;
mod faults;
mod half_way;
mod route;
mod shape;
mod twist;

pub use direction::{Direction, dimension_name};
pub use faults::{
    FaultError, Faults, RouteRequest, RouteSegment, Service, ServiceShares, WithoutCleanEscape,
};
pub use half_way::HalfWay;
pub use route::{Hops, MinimalRoutes, Preference};
pub use shape::{Coordinates, MAX_DIMENSIONS, MAX_NODES, Shape, ShapeError};
pub use twist::{FoundTwist, Twist, best_twists, evaluated_twist};
