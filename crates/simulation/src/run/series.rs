//! The time series of a run: counts for each interval.
//!
//! ```text
//!   rows   |----|----|----|----|- open -        one interval each; when there are too many,
//!   merged |---------|---------|- open -        pairs are merged and the interval doubles
//! ```

use super::link_cells::{LinkCells, LinkRow, MAX_ROWS as MAX_ROWS_WITH_LINKS, link_series_table};
use crate::result::{Column, Escapes, Table, busy_cycles, share, vc_name};
use geometry::{Direction, MAX_DIMENSIONS};
use network::counters::DirectionTotals;
use network::parameters::MAX_VCS;
use network::parameters::RouterParameters;
use network::{Parameters, Totals};
use serde::{Deserialize, Serialize};

/// Number of rows at which pairs are merged if the interval is chosen automatically: a plot resolves no more.
const MAX_ROWS: usize = 400;

/// Number of rows at which pairs are merged if the scenario sets the interval. A long idle trace must not fill the
/// memory.
const MAX_ROWS_OF_GIVEN_INTERVAL: usize = 100_000;

/// The shortest interval chosen automatically: about the time of a packet. A transfer counts in the row in which it
/// begins, so that shorter rows would only show single packets.
const SHORTEST_INTERVAL_CYCLES: u64 = 256;

/// Counts from cycle `start` to cycle `end`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Row {
    start: u64,
    end: u64,
    injected: u64,
    delivered: u64,
    /// The sum of the latencies of the packets delivered.
    latency_sum: u64,
    in_flight: u64,
    hops: u64,
    vcs: [u64; MAX_VCS],
    directions: [DirectionTotals; 2 * MAX_DIMENSIONS],
    credit_returns: u64,
    unblocking_returns: u64,
    /// Credits in use at the end of the row, for each VC.
    credits_out: [u64; MAX_VCS],
    /// Cycles in which each link was busy, if links are observed.
    links: LinkCells,
}

impl Row {
    fn starting(start: u64) -> Self {
        Row { start, end: start, ..Row::default() }
    }

    /// Adds the counts between `base` and `totals`.
    fn add(&mut self, base: &Totals, totals: &Totals) {
        self.injected += totals.injected_ever - base.injected_ever;
        self.delivered += totals.delivered_ever - base.delivered_ever;
        let latency = totals.latency_sum - base.latency_sum;
        self.latency_sum = self.latency_sum.saturating_add(u64::try_from(latency).unwrap_or(u64::MAX));
        self.in_flight = totals.in_flight();
        self.hops += totals.hops_ever - base.hops_ever;
        for (index, sum) in self.vcs.iter_mut().enumerate() {
            *sum += totals.vc_packets[index] - base.vc_packets[index];
        }
        self.credit_returns += totals.credit_returns - base.credit_returns;
        self.unblocking_returns += totals.unblocking_returns - base.unblocking_returns;
        for (index, sum) in self.directions.iter_mut().enumerate() {
            sum.packets += totals.directions[index].packets - base.directions[index].packets;
            sum.chunks += totals.directions[index].chunks - base.directions[index].chunks;
        }
    }

    /// This row and the one before it.
    fn after(mut self, first: &Row) -> Row {
        self.start = first.start;
        self.injected += first.injected;
        self.delivered += first.delivered;
        self.latency_sum = self.latency_sum.saturating_add(first.latency_sum);
        self.hops += first.hops;
        for (sum, part) in self.vcs.iter_mut().zip(first.vcs) {
            *sum += part;
        }
        self.credit_returns += first.credit_returns;
        self.unblocking_returns += first.unblocking_returns;
        for (sum, part) in self.directions.iter_mut().zip(first.directions) {
            *sum += part;
        }
        self.links.add(&first.links);
        self
    }

    fn cycles(&self) -> u64 {
        self.end - self.start
    }
}

/// The packets delivered from cycle `start` to cycle `end`, and the hops of all packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Delivered {
    pub start: u64,
    pub end: u64,
    pub packets: u64,
    pub escapes: Escapes,
}

impl Delivered {
    /// Packets per cycle.
    pub fn rate(&self) -> f64 {
        self.packets as f64 / (self.end - self.start).max(1) as f64
    }
}

/// The time series of a run in progress.
#[derive(Serialize, Deserialize)]
pub(crate) struct Series {
    rows: Vec<Row>,
    open: Row,
    base: Totals,
    interval: u64,
    max_rows: usize,
    has_high_priority: bool,
    /// The counts of links at the last record; none if links are not observed.
    link_base: Vec<u64>,
}

impl Series {
    /// A series from cycle 0, with rows of `interval` cycles. The default interval gives 200 to 400 rows. `end` is
    /// the cycle at which the run will end, if known.
    pub(crate) fn new(interval: Option<u64>, end: Option<u64>, has_high_priority: bool) -> Self {
        let max_rows = if interval.is_some() { MAX_ROWS_OF_GIVEN_INTERVAL } else { MAX_ROWS };
        Series::of_rows(max_rows, interval, end, has_high_priority)
    }

    /// A series like those of [`Series::new`] with fewer rows, each of which has counts of all links.
    pub(crate) fn with_links(interval: Option<u64>, end: Option<u64>, has_high_priority: bool) -> Self {
        Series::of_rows(MAX_ROWS_WITH_LINKS, interval, end, has_high_priority)
    }

    fn of_rows(max_rows: usize, interval: Option<u64>, end: Option<u64>, has_high_priority: bool) -> Self {
        let rows = max_rows.min(MAX_ROWS) as u64;
        let chosen = end.map_or(0, |end| end.div_ceil(rows)).max(SHORTEST_INTERVAL_CYCLES);
        Series {
            rows: Vec::new(),
            open: Row::starting(0),
            base: Totals::default(),
            interval: interval.unwrap_or(chosen),
            max_rows,
            has_high_priority,
            link_base: Vec::new(),
        }
    }

    /// The cycle at which the open row ends. Totals must be recorded at exactly this cycle.
    pub(crate) fn boundary(&self) -> u64 {
        self.open.start.saturating_add(self.interval)
    }

    /// Records the totals at `now`, the credits in use (taken and not yet returned) and the counts of links, if any, and
    /// closes the row if it ends now.
    pub(crate) fn record(&mut self, now: u64, totals: &Totals, credits_out: [u64; MAX_VCS], links: Vec<u64>) {
        self.open.add(&self.base, totals);
        self.open.end = now.max(self.open.start);
        self.open.credits_out = credits_out;
        self.open.links.add_between(&self.link_base, &links);
        self.base = totals.clone();
        self.link_base = links;
        if now == self.boundary() {
            self.close();
        }
    }

    /// The deliveries of all closed rows, the last of which may just have been closed.
    pub(super) fn delivered<'a>(
        &'a self,
        router: &'a RouterParameters,
    ) -> impl ExactSizeIterator<Item = Delivered> + 'a {
        self.rows.iter().map(|row| Delivered {
            start: row.start,
            end: row.end,
            packets: row.delivered,
            escapes: Escapes::of(&row.vcs, router),
        })
    }

    /// Continues from `totals` after the engine has reset its counters.
    pub(crate) fn rebase(&mut self, totals: &Totals) {
        self.base = totals.clone();
        self.link_base.fill(0);
    }

    /// Ends the last row at `end`. It includes the events of exactly that cycle, such as the last deliveries, even
    /// if a new row begins there.
    fn end_at(&mut self, end: u64) {
        self.rows.push(std::mem::take(&mut self.open));
        while self.rows.len() > 1
            && let Some(last) = self.rows.pop_if(|last| last.start >= end)
            && let Some(before) = self.rows.last_mut()
        {
            *before = last.after(before);
        }
        self.rows.retain(|row| row.start < end);
        if let Some(last) = self.rows.last_mut() {
            last.end = last.end.min(end);
        }
    }

    fn close(&mut self) {
        let Row { in_flight, credits_out, end, .. } = self.open;
        let next = Row { in_flight, credits_out, ..Row::starting(end) };
        self.rows.push(std::mem::replace(&mut self.open, next));
        if self.rows.len() == self.max_rows {
            let mut rows = std::mem::take(&mut self.rows).into_iter();
            while let Some(first) = rows.next() {
                self.rows.push(match rows.next() {
                    Some(second) => second.after(&first),
                    None => first,
                });
            }
            self.interval *= 2;
        }
    }

    /// The tables of the rows of a run that ended at cycle `end`: of the network, and of links if they are observed.
    pub(crate) fn into_tables(mut self, end: u64, parameters: &Parameters) -> Vec<Table> {
        self.end_at(end);
        let escapes = parameters.router.escape_vcs();
        let vcs = escapes.end + self.has_high_priority as usize;
        let names: Vec<String> = (0..vcs).map(|vc| vc_name(vc, &parameters.router)).collect();
        let cells = self.rows.iter().map(|row| LinkRow { start: row.start, end: row.end, cells: &row.links });
        let cells: Vec<LinkRow<'_>> = cells.collect();
        let of_links = (!self.link_base.is_empty()).then(|| link_series_table(&cells, parameters));
        std::iter::once(table_of(&self.rows, parameters, &names)).chain(of_links).collect()
    }
}

fn table_of(rows: &[Row], parameters: &Parameters, vcs: &[String]) -> Table {
    let counts = |value: fn(&Row) -> u64| Column::U64(rows.iter().map(value).collect());
    let mut columns = vec![
        ("start_cycle".to_owned(), counts(|row| row.start)),
        ("end_cycle".to_owned(), counts(|row| row.end)),
        ("packets_injected".to_owned(), counts(|row| row.injected)),
        ("packets_delivered".to_owned(), counts(|row| row.delivered)),
        ("latency_cycles_sum".to_owned(), counts(|row| row.latency_sum)),
        ("packets_in_flight".to_owned(), counts(|row| row.in_flight)),
    ];
    let directions: Vec<Direction> = Direction::all(parameters.shape.dimensions())
        .filter(|&direction| parameters.shape.links_toward(direction) > 0)
        .collect();
    let shares =
        |of: &[Direction]| Column::F64(rows.iter().map(|row| utilization(row, of, parameters)).collect());
    columns.push(("utilization".to_owned(), shares(&directions)));
    for direction in &directions {
        columns.push((format!("utilization_{direction}"), shares(&[*direction])));
    }
    let escapes = parameters.router.escape_vcs();
    let shares_of = |part: &dyn Fn(&Row) -> u64, whole: &dyn Fn(&Row) -> u64| {
        let share_of = |row: &Row| share(part(row) as f64, whole(row) as f64).unwrap_or(0.0);
        Column::F64(rows.iter().map(share_of).collect())
    };
    let escape_share = shares_of(&|row| row.vcs[escapes.clone()].iter().sum(), &|row| row.hops);
    columns.push(("escape_share".to_owned(), escape_share));
    for (vc, name) in vcs.iter().enumerate() {
        let hops = rows.iter().map(|row| row.vcs[vc]).collect();
        columns.push((format!("packet_hops_{name}"), Column::U64(hops)));
    }
    if parameters.counts_unblocking {
        for (vc, name) in vcs.iter().enumerate() {
            let credits = parameters.router.vc_bytes(vc) / parameters.packet.chunk_bytes;
            let all = parameters.live_links(&directions) * u64::from(credits);
            columns.push((format!("occupancy_{name}"), shares_of(&|row| row.credits_out[vc], &|_| all)));
        }
        let unblocking = shares_of(&|row| row.unblocking_returns, &|row| row.credit_returns);
        columns.push(("unblocking_share".to_owned(), unblocking));
    }
    Table { name: "series", columns }
}

fn utilization(row: &Row, directions: &[Direction], parameters: &Parameters) -> f64 {
    let busy = |direction: &Direction| {
        let DirectionTotals { packets, chunks } = row.directions[direction.index()];
        busy_cycles(parameters, *direction, packets, chunks)
    };
    let busy: u64 = directions.iter().map(busy).sum();
    share(busy as f64, parameters.live_links(directions) as f64 * row.cycles() as f64).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Totals at cycle `now` of a network that delivers one packet per cycle.
    fn totals(now: u64) -> Totals {
        Totals { injected_ever: now + 5, delivered_ever: now, hops_ever: 3 * now, ..Totals::default() }
    }

    #[test]
    fn rows_are_merged_in_pairs_and_lose_nothing() {
        let mut series = Series::new(None, None, false);
        let mut now = 0;
        while now < 1_000_000 {
            now = series.boundary();
            series.record(now, &totals(now), [0; MAX_VCS], Vec::new());
        }
        assert!((200..=400).contains(&series.rows.len()), "{}", series.rows.len());
        assert_eq!(series.rows.iter().map(|row| row.delivered).sum::<u64>(), now);
        assert!(series.rows.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert!(series.rows.iter().all(|row| row.in_flight == 5 && row.cycles() == series.interval));
    }

    #[test]
    fn the_last_row_includes_the_cycle_at_which_the_run_ends() {
        for (last_delivery, rows) in [(1_023, 4), (1_024, 4), (1_025, 5)] {
            let mut series = Series::new(Some(256), None, false);
            while series.boundary() <= last_delivery {
                series.record(series.boundary(), &totals(series.boundary()), [0; MAX_VCS], Vec::new());
            }
            series.record(last_delivery, &totals(last_delivery + 1), [0; MAX_VCS], Vec::new());
            series.end_at(last_delivery);
            let last = series.rows.last().unwrap();
            assert_eq!((series.rows.len(), last.end), (rows, last_delivery));
            assert_eq!(series.rows.iter().map(|row| row.delivered).sum::<u64>(), last_delivery + 1);
            assert!(series.rows.iter().all(|row| row.cycles() > 0));
        }
    }

    #[test]
    fn a_known_end_sets_the_interval() {
        assert_eq!(Series::new(None, Some(4_000_000), false).boundary(), 10_000);
        assert_eq!(Series::new(None, Some(40_000), false).boundary(), SHORTEST_INTERVAL_CYCLES);
        assert_eq!(Series::new(Some(7), Some(40_000), false).boundary(), 7);
    }
}
