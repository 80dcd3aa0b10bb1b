use geometry::Shape;
use network::{Engine, Parameters, windowed::new_engine};
use workloads::{Context, PlannedTraffic, Workload};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let lengths: Vec<u32> = args[1].split('x').map(|x| x.parse().unwrap()).collect();
    let warm: u64 = args[2].parse().unwrap();
    let cycles: u64 = args[3].parse().unwrap();
    let threads: usize = args[4].parse().unwrap();
    let p = Parameters::bluegene_l(Shape::torus(&lengths).unwrap(), 1);
    let w = Workload::from_kind("uniform-random", serde_json::json!({})).unwrap();
    let plan = w.plan(&Context { parameters: &p }).unwrap();
    let PlannedTraffic::Generated(source) = plan.traffic else { panic!() };
    let mut e = new_engine(p.clone(), network::Traffic::Generated(source), threads);
    e.advance(warm);
    let h0 = e.totals().hops_ever;
    let t = std::time::Instant::now();
    e.advance(warm + cycles);
    let s = t.elapsed().as_secs_f64();
    let h = e.totals().hops_ever - h0;
    println!(
        "{} {:.2} M hops/s, util {:.4} bytes/node {} digest {}",
        args[1],
        h as f64 / s / 1e6,
        h as f64 * 270.0 / (cycles as f64 * 6.0 * p.shape.nodes() as f64),
        e.state_bytes() / p.shape.nodes() as u64,
        e.totals().digest
    );
}
