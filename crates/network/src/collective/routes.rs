//! The class routes and wires that software has given to some of the cores.
//!
//! All members of a route define it when they first use it, with the same cores; the first to do so, on whatever thread,
//! adds it. What a node finds here therefore does not depend on threads. A packet reaches a node only after a member has
//! written it, and a class has another route only once all members have left the one before. By then every node of that
//! one has its part of it, so that only the newest route of each class is kept. Other processes of the simulation learn
//! of it before a packet reaches their nodes ([`Networks::take_news`]).

use super::Networks;
use super::packet::{CorePlace, name};
use super::route::{ClassRoute, Joint, Top, Tree};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The name of a class route, and of the wire that goes with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RouteName(u32);

/// Bits of a name for the class, below the creation.
const CLASS_BITS: u32 = 5;

/// The most classes that a machine has, that of all ranks included.
pub const MAX_CLASSES: u8 = 16;

impl RouteName {
    /// The class route of all ranks.
    pub const WORLD: RouteName = RouteName(0);

    /// The route that a class has after a creation, counted by all ranks alike.
    pub fn new(class: u8, creation: u32) -> Self {
        assert!(class < MAX_CLASSES, "there is no class {class}");
        RouteName(u32::from(class) | creation << CLASS_BITS)
    }

    /// The first route of a class, if machines can have it.
    pub fn of_class(class: usize) -> Option<Self> {
        (class < MAX_CLASSES.into()).then(|| RouteName::new(class as u8, 0))
    }

    /// Whether it is of a class that machines can have, and not the first.
    pub(super) fn is_of_communicator(self) -> bool {
        (1..MAX_CLASSES).contains(&self.class())
    }

    /// The class, 0 for that of all ranks.
    pub fn class(self) -> u8 {
        (self.0 & ((1 << CLASS_BITS) - 1)) as u8
    }
}

/// A route, with its cores and the number of the contribution of each.
pub type Defined = (RouteName, Vec<(CorePlace, u32)>);

/// The route of a class on each network.
#[derive(Debug)]
pub(super) struct Route {
    name: RouteName,
    cores: Vec<(CorePlace, u32)>,
    /// The number of contributions of all its cores, and the sum of their names.
    contributions: (u32, u64),
    pub tree: Option<ClassRoute>,
    pub wires: Option<ClassRoute>,
}

impl Route {
    fn new(name: RouteName, networks: &Networks, cores: Vec<(CorePlace, u32)>) -> Self {
        let places = || cores.iter().map(|(place, _)| *place);
        let tree = networks.tree.as_ref().map(|tree| ClassRoute::new(&tree.tree, places(), Top::OfSmallest));
        // A wire joins all nodes; those without a member have it raised at all times.
        let wires =
            networks.interrupts.as_ref().map(|wires| ClassRoute::new(&wires.tree, places(), Top::Root));
        let sum = cores.iter().map(|(_, number)| self::name(*number)).fold(0, u64::wrapping_add);
        Route { name, contributions: (cores.len() as u32, sum), cores, tree, wires }
    }
}

/// The newest route of each class but the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Routes(Arc<RwLock<Known>>);

#[derive(Debug, Default)]
struct Known {
    routes: BTreeMap<u8, Route>,
    /// The routes of which other processes have not heard; none if there are no others.
    news: Option<Vec<Defined>>,
}

impl Known {
    fn get(&self, name: RouteName) -> Option<&Route> {
        self.routes.get(&name.class()).filter(|route| route.name == name)
    }
}

impl Routes {
    /// See [`Networks::define`].
    pub fn define(
        &self,
        name: RouteName,
        networks: &Networks,
        cores: impl FnOnce() -> Vec<(CorePlace, u32)>,
    ) -> (u32, u64) {
        let contributions = |known: &Known| known.get(name).map(|route| route.contributions);
        if let Some(contributions) = contributions(&self.read()) {
            return contributions;
        }
        let mut known = self.write();
        contributions(&known).unwrap_or_else(|| {
            let route = Route::new(name, networks, cores());
            let contributions = route.contributions;
            let news = known.news.iter_mut();
            news.for_each(|news| news.push((name, route.cores.clone())));
            known.routes.insert(name.class(), route);
            contributions
        })
    }

    /// Lets this keep news from now on.
    pub fn keep_news(&self) {
        self.write().news = Some(Vec::new());
    }

    /// The routes since the last news.
    pub fn take_news(&self) -> Vec<Defined> {
        let is_none = self.read().news.as_ref().is_none_or(Vec::is_empty);
        if is_none { Vec::new() } else { self.write().news.replace(Vec::new()).unwrap_or_default() }
    }

    /// Adds the routes of another process.
    pub fn hear(&self, networks: &Networks, news: Vec<Defined>) {
        for (name, cores) in news {
            if self.read().get(name).is_none() {
                let route = Route::new(name, networks, cores);
                self.write().routes.insert(name.class(), route);
            }
        }
    }

    /// The part of a node in a route on one of the networks.
    pub fn joint(
        &self,
        name: RouteName,
        on: impl FnOnce(&Route) -> Option<&ClassRoute>,
        tree: &Tree,
        node: u32,
    ) -> Joint {
        let known = self.read();
        let route = known.get(name).and_then(on).expect("a member has defined the route");
        route.joint(tree, node).expect("packets of a route stay on it")
    }

    /// All routes.
    pub fn defined(&self) -> Vec<Defined> {
        self.read().routes.values().map(|route| (route.name, route.cores.clone())).collect()
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
