//! Invalid input: each entry of the tables is a scenario and the fragments that its error message must contain.

use simulation::{EngineKind, InputError, Override, Run, parse_override, resolve, resolve_plain};
use std::path::Path;

fn message(text: &str, overrides: &[&str]) -> String {
    let overrides: Result<Vec<Override>, InputError> =
        overrides.iter().map(|text| parse_override(text)).collect();
    let resolved =
        overrides.and_then(|overrides| resolve(text, "bad.toml", Path::new("/nowhere"), &overrides));
    let error = match resolved.and_then(|scenario| Run::new(scenario, EngineKind::Reference, 1)) {
        Ok(_) => panic!("nothing wrong was found in {text:?}"),
        Err(error) => error.to_string(),
    };
    assert!(!error.contains('\n'), "one message is one line: {error:?}");
    error
}

/// The message must contain all fragments, in this order.
fn check(text: &str, overrides: &[&str], fragments: &[&str]) {
    let message = message(text, overrides);
    let mut rest = message.as_str();
    for fragment in fragments {
        let at = rest.find(fragment).unwrap_or_else(|| panic!("no {fragment:?} in {message:?}"));
        rest = &rest[at + fragment.len()..];
    }
}

const WORKLOAD: &str = "[workload]\nkind = \"uniform-random\"\n";

/// A scenario with the given text lines as its [machine], starting at text line 4.
fn machine(lines: &str) -> String {
    format!("{WORKLOAD}[machine]\n{lines}")
}

#[test]
fn texts_that_are_not_scenarios_are_rejected() {
    check("", &[], &["bad.toml: the scenario is empty", "[workload]"]);
    check("# nothing\n\n", &[], &["bad.toml: the scenario is empty"]);
    check("[workload]\nkind = \"a\0b\"", &[], &["bad.toml:2: a NUL byte"]);
    check("[workload]\nkind = ", &[], &["bad.toml:2: not valid TOML"]);
    check("\u{7f}ELF\u{1}\u{2}", &[], &["bad.toml:1: not valid TOML"]);
    check(
        "[workload]\nkind = \"tornado\"\nkind = \"shift\"",
        &[],
        &["bad.toml:3: not valid TOML", "duplicate"],
    );
    check("[workload]\nload = 1979-05-27\n", &[], &["bad.toml:2: workload.load", "1979-05-27 is a date"]);
    check("[machine]\nshape = [4]\n", &[], &["bad.toml: workload.kind: is missing", "all-to-all"]);
    check("workload = 3\n", &[], &["bad.toml:1: workload = 3: must be a table"]);
    check(&format!("machine = 3\n{WORKLOAD}"), &[], &["bad.toml:1: machine = 3: must be a table"]);
    check(&format!("{WORKLOAD}[machin]\n"), &[], &["bad.toml:3: machin: ", "did you mean machine?"]);
    check(
        &format!("shape = [4]\n{WORKLOAD}"),
        &[],
        &["bad.toml:1: shape = [4]: ", "machine, workload, jobs, mapping, messaging, run"],
    );
    check(
        &format!("schema_version = 9\n{WORKLOAD}"),
        &[],
        &["bad.toml:1: schema_version = 9: ", "version 1"],
    );
}

#[test]
fn invalid_machines_are_rejected() {
    let cases: [(&str, &[&str]); 31] = [
        (
            "shape = [0, 8, 8]",
            &["bad.toml:4: machine.shape = [0, 8, 8]: each length of a shape is at least 1"],
        ),
        ("shape = []", &["bad.toml:4: machine.shape = []: a shape has 1 to 6 dimensions, not 0"]),
        ("shape = [2, 2, 2, 2, 2, 2, 2]", &["bad.toml:4: machine.shape", "1 to 6 dimensions, not 7"]),
        ("shape = [8, -8, 8]", &["bad.toml:4: machine.shape[1] = -8: must be a whole number from 1"]),
        ("shape = [8.0, 8, 8]", &["bad.toml:4: machine.shape[0] = 8.0: must be a whole number from 1"]),
        (
            "shape = \"8x8x8\"",
            &[
                "bad.toml:4: machine.shape = \"8x8x8\": must be a list [...] of 1 to 6, each item a whole number",
            ],
        ),
        ("shape = [65536, 65536]", &["bad.toml:4: machine.shape", "at most 268435456 nodes"]),
        (
            "shape = [16384, 16384]",
            &["bad.toml:4: machine.shape", "GiB of memory", "is available", "would fit"],
        ),
        (
            "\nwrap = [true, false]",
            &["bad.toml:5: machine.wrap = [true, false]: must be one value, or 3", "not 2"],
        ),
        ("wrap = \"yes\"", &["bad.toml:4: machine.wrap = \"yes\": must be true or false or a list"]),
        (
            "preset = \"bluegene-q\"",
            &["bad.toml:4: machine.preset = \"bluegene-q\"", "did you mean bluegene-", "Known: "],
        ),
        ("preset = 3", &["bad.toml:4: machine.preset = 3: must be a string"]),
        (
            "shap = [8]",
            &[
                "bad.toml:4: machine.shap = [8]: [machine] has no such key; did you mean shape? Known: preset, mode, slice, assumed_router, shape",
            ],
        ),
        (
            "router.bypas = true",
            &[
                "bad.toml:4: machine.router.bypas = true: [machine.router] has no such key; did you mean bypass?",
            ],
        ),
        ("router = 5", &["bad.toml:4: machine.router = 5: must be a table"]),
        (
            "router.dynamic_channels = 17",
            &["bad.toml:4: machine.router.dynamic_channels = 17: must be from 0 to 16"],
        ),
        (
            "router.dynamic_channels = 500",
            &["bad.toml:4: machine.router.dynamic_channels = 500: must be a whole number from 0 to 255"],
        ),
        (
            "router.dynamic_channel_bytes = 128",
            &["bad.toml:4: machine.router.dynamic_channel_bytes = 128: ", "from 256"],
        ),
        (
            "router.bubble_rule = \"none\"",
            &["bad.toml:4: machine.router.bubble_rule = \"none\": must be \"full-size\" or \"true-size\""],
        ),
        (
            "router.in_network_share = 1.5",
            &["bad.toml:4: machine.router.in_network_share = 1.5: must be a number from 0 to 1"],
        ),
        (
            "router.in_network_share = nan",
            &["bad.toml:4: machine.router.in_network_share", "nan is not a finite number"],
        ),
        (
            "router.token_ranges = [0.5, 0.25, 0.75]",
            &["bad.toml:4: machine.router.token_ranges = [0.5, 0.25, 0.75]: ", "in ascending order"],
        ),
        ("router.token_ranges = [0.5, 0.75]", &["bad.toml:4: machine.router.token_ranges", "3"]),
        (
            "[machine.node]\ninjection_fifo_bytes = \"big\"",
            &[
                "bad.toml:5: machine.node.injection_fifo_bytes = \"big\": must be a whole number",
                "or \"infinite\"",
            ],
        ),
        (
            "[machine.node]\ninjection_fifo_bytes = 100",
            &["bad.toml:5: machine.node.injection_fifo_bytes = 100: ", "multiple of 32"],
        ),
        (
            "[machine.node]\nprocessor_cycles_per_cycle = [11, 0]",
            &["bad.toml:5: machine.node.processor_cycles_per_cycle", "1 to 1000"],
        ),
        (
            "[machine.link]\ncycles_per_byte = \"4:3\"",
            &["bad.toml:5: machine.link.cycles_per_byte = \"4:3\": ", "from 0.001 to 1000", "\"4/3\""],
        ),
        (
            "[machine.link]\ncycles_per_byte = 0.12345678",
            &["bad.toml:5: machine.link.cycles_per_byte = 0.12345678: ", "at most six decimals"],
        ),
        (
            "[machine.link]\nhop_latency_cycles = [1, 2]",
            &["bad.toml:5: machine.link.hop_latency_cycles = [1, 2]: ", "one for each dimension"],
        ),
        (
            "[machine.link]\nmegabytes_per_second = 0",
            &["bad.toml:5: machine.link.megabytes_per_second = 0: must be a number above 0"],
        ),
        (
            "[machine.link]\nhop_latency_cycles = 99999999999999999999",
            &["bad.toml:5: machine.link.hop_latency_cycles", "beyond 64 bits"],
        ),
    ];
    for (lines, fragments) in cases {
        check(&machine(lines), &[], fragments);
    }
}

#[test]
fn errors_in_preset_values_name_the_preset_file() {
    let fragments =
        ["machines/bluegene-l.toml:", "machine.router.escape_channel_bytes = 1024: ", "from 2048"];
    check(
        &machine(
            "packet.chunk_bytes = 64\npacket.max_chunks = 16\n[machine.router]\ndynamic_channel_bytes = 2048",
        ),
        &[],
        &fragments,
    );
}

#[test]
fn invalid_workloads_are_rejected() {
    let cases: [(&str, &[&str]); 22] = [
        (
            "kind = \"all-to-al\"",
            &["bad.toml:2: workload.kind = \"all-to-al\": ", "did you mean all-to-all?", "Known: "],
        ),
        ("kind = 3", &["bad.toml:2: workload.kind = 3: must be a string"]),
        ("kind = \"all-to-all\"", &["workload.payload_bytes: is missing: must be a whole number"]),
        (
            "kind = \"all-to-all\"\npayload_bytes = 0",
            &["bad.toml:3: workload.payload_bytes = 0: ", "at least 1"],
        ),
        (
            "kind = \"all-to-all\"\npayload_bytes = -1",
            &["bad.toml:3: workload.payload_bytes = -1: must be a whole number, at least 0"],
        ),
        (
            "kind = \"all-to-all\"\npayload_byte = 1",
            &["bad.toml:3: workload.payload_byte = 1: ", "did you mean payload_bytes?"],
        ),
        (
            "kind = \"all-to-all\"\npayload_bytes = 1\npackets_per_visit = \"al\"",
            &["bad.toml:4: workload.packets_per_visit = \"al\": must be a whole number", "or \"all\""],
        ),
        (
            "kind = \"all-to-all\"\npayload_bytes = 1\norder = \"rotate\"",
            &[
                "bad.toml:4: workload.order = \"rotate\": must be \"random\", \"rotating\", \"common\" or \"identity\"",
            ],
        ),
        ("kind = \"hot-region\"\nshare = 2", &["bad.toml:3: workload.share = 2: ", "from 0 to 1"]),
        ("kind = \"shift\"\noffset = [9, 0, 0]", &["bad.toml:3: workload.offset = [9, 0, 0]: ", "to 7"]),
        ("kind = \"ping-pong\"\nhops = 99", &["bad.toml:3: workload.hops = 99: ", "from 1 to 12"]),
        ("kind = \"ping-pong\"\nhops = 0", &["bad.toml:3: workload.hops = 0: ", "from 1 to 12"]),
        (
            "kind = \"ping-pong\"\npayload_bytes = 1073741825",
            &["bad.toml:3: workload.payload_bytes = 1073741825: ", "from 1 to 1073741824"],
        ),
        (
            "kind = \"shift\"\noffset = [-9223372036854775808, 0, 0]",
            &["bad.toml:3: workload.offset[0] = -9223372036854775808: ", "from -2147483648 to 2147483647"],
        ),
        (
            "kind = \"tornado\"\npacket_bytes = [32]",
            &["bad.toml:3: workload.packet_bytes = [32]: ", "a list [...] of 2, each item a whole number"],
        ),
        (
            "kind = \"hot-spot\"\npackets_per_pair = 1\nbox = [9, 1, 1]",
            &["bad.toml:4: workload.box", "from 1 to 8"],
        ),
        (
            "kind = \"all-to-all\"\npayload_bytes = 1\nrouting = \"valiant\"",
            &["bad.toml:4: workload.routing = \"valiant\": ", "\"adaptive\" or \"deterministic\""],
        ),
        (
            "kind = \"tornado\"\nrouting = \"valiant\"\ndirections = [\"+\", \"+\", \"+\"]",
            &["bad.toml:4: workload.directions = ", "leave directions out"],
        ),
        (
            "kind = \"tornado\"\nrouting = \"ugal\"\n[machine.node]\ninjection_fifo_bytes = 1024",
            &["bad.toml:3: workload.routing = \"ugal\": ", "infinite injection FIFOs"],
        ),
        (
            "kind = \"tornado\"\nrouting = \"valiant\"\n[machine]\ndead_nodes = [[0, 0, 0]]",
            &["bad.toml:5: machine.dead_nodes = ", "valiant"],
        ),
        (
            "kind = \"tornado\"\nrouting = \"ugal\"\n[machine]\nshape = [256, 256, 256]",
            &[
                "bad.toml:5: machine.shape = [256, 256, 256]: ",
                "too large for the hops of two route segments",
            ],
        ),
        (
            "kind = \"trace\"\npath = \"none\"",
            &["bad.toml:3: workload.path: /nowhere/none: there is no such file or directory"],
        ),
    ];
    for (lines, fragments) in cases {
        check(&format!("[workload]\n{lines}\n"), &[], fragments);
    }
}

#[test]
fn invalid_run_settings_are_rejected() {
    let cases: [(&str, &[&str]); 8] = [
        ("seed = 1.0", &["bad.toml:4: run.seed = 1.0: must be a whole number"]),
        ("seed = -1", &["bad.toml:4: run.seed = -1: must be a whole number, at least 0"]),
        ("sede = 1", &["bad.toml:4: run.sede = 1: ", "did you mean seed?"]),
        (
            "stop = \"never\"",
            &["bad.toml:4: run.stop = \"never\": must be \"drained\", \"measured\" or \"sampled\""],
        ),
        (
            "stop = \"drained\"",
            &["bad.toml:4: run.stop = \"drained\": this workload never ends: must be \"measured\""],
        ),
        ("measure_cycles = 0", &["bad.toml:4: run.measure_cycles = 0: must be at least 1"]),
        ("warmup_cycles = 9223372036854775807", &["run.measure_cycles: must end before 2^46"]),
        ("name = \"../x\"", &["bad.toml:4: run.name = \"../x\": "]),
    ];
    for (lines, fragments) in cases {
        check(&format!("{WORKLOAD}[run]\n{lines}\n"), &[], fragments);
    }
    let drained = "[workload]\nkind = \"all-to-all\"\npayload_bytes = 1\n[run]\nmeasure_cycles = 5";
    check(drained, &[], &["bad.toml:5: run.measure_cycles = 5: ", "run.stop = \"measured\""]);
}

#[test]
fn invalid_messaging_settings_are_rejected() {
    let ranks = "[machine]\npreset = \"bluegene-l\"\nshape = [4, 4]\n[workload]\nkind = \"kernel\"\nname = \"halo-2d\"\n";
    let engine = ranks.replace("bluegene-l", "bluegene-p");
    let coprocessor = ranks.replace("[4, 4]\n", "[4, 4]\nmode = \"co-processor\"\n");
    for (machine, lines, fragments) in [
        (ranks, "dma = true", &["messaging.dma = true: ", "no DMA engine (machine.dma)"][..]),
        (&engine, "injection_watermark_bytes = 9", &["injection_watermark_bytes = 9: ", "the DMA engine"]),
        (&coprocessor, "injection_watermark_bytes = 9", &["injection_watermark_bytes = 9: ", "co-processor"]),
        (&coprocessor, "watermark_bytes = 99", &["messaging.watermark_bytes = 99: ", "a co-processor does"]),
        (
            ranks,
            "message_credit_pool = 4",
            &["message_credit_pool = 4: ", "message_credits, which is not given"],
        ),
        (
            ranks,
            "realign_processor_cycles_by_offset = [0, 1]",
            &["by_offset = [0, 1]: ", "for each of the 16 offsets", "0 first"],
        ),
        (
            ranks,
            "alignment_bytes = 2\nrealign_processor_cycles_by_offset = [1, 1]",
            &["by_offset = [1, 1]: ", "for each of the 2 offsets", "0 first"],
        ),
        (
            ranks,
            "collectives = { alltoallv = \"pairwise\" }",
            &["messaging.collectives.alltoallv = \"pairwise\": ", "post-and-wait"],
        ),
    ] {
        check(&format!("{machine}[messaging]\n{lines}"), &[], fragments);
    }
}

#[test]
fn errors_name_the_override() {
    let cases: [(&str, &[&str]); 8] = [
        ("machine.shape", &["--set machine.shape: must be KEY=VALUE"]),
        ("machine..shape=3", &["--set machine..shape=3: must be KEY=VALUE"]),
        ("machine.shape=", &["--set machine.shape=: must be KEY=VALUE"]),
        ("machine.shape=[8,", &["--set machine.shape: machine.shape: not a TOML value"]),
        ("machine.shape=[0,8]", &["--set machine.shape: machine.shape = [0, 8]: each length"]),
        ("machine.shap=[8]", &["--set machine.shap: machine.shap = [8]: ", "did you mean shape?"]),
        ("run.seed.x=1", &["--set run.seed.x: run.seed.x: "]),
        ("workload.load=nan", &["--set workload.load: workload.load: nan is not a finite number"]),
    ];
    for (change, fragments) in cases {
        check(&format!("{WORKLOAD}[run]\nseed = 1\n"), &[change], fragments);
    }
}

#[test]
fn results_and_tables_that_are_not_scenarios_are_rejected() {
    let of_result = |text| resolve(text, "r/result.json", Path::new(""), &[]).unwrap_err().to_string();
    assert!(of_result("{").starts_with("r/result.json:1: not valid JSON"));
    assert!(of_result("{}").starts_with("r/result.json: must be the result.json of a run"));
    assert!(of_result("[1]").starts_with("r/result.json: must be the result.json of a run"));
    assert!(of_result("{\"scenario\": 3}").starts_with("r/result.json: scenario = 3: must be a table"));
    let of_table = |value| resolve_plain(value, &[]).unwrap_err().to_string();
    let shape = serde_json::json!({ "machine": { "shape": [4, 0] }, "workload": { "kind": "tornado" } });
    assert!(
        of_result(&serde_json::json!({ "scenario": shape }).to_string())
            .starts_with("r/result.json: machine.shape = [4, 0]: ",)
    );
    assert!(of_table(shape).starts_with("scenario: machine.shape = [4, 0]: "));
    assert!(of_table(serde_json::json!({})).starts_with("scenario: the scenario is empty"));
    assert!(of_table(serde_json::json!(null)).starts_with("scenario: "));
}

#[test]
fn the_preset_of_a_result_cannot_be_changed() {
    let scenario = resolve(WORKLOAD, "a.toml", Path::new(""), &[]).unwrap().to_json();
    let change = parse_override("machine.preset=bluegene-p").unwrap();
    let error = resolve_plain(scenario, &[change]).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "--set machine.preset: machine.preset = \"bluegene-p\": a result contains every value"
        )
    );
}

/// Answers take time in proportion to the input. Each of these took minutes when every key or item scanned the
/// others.
#[test]
fn large_inputs_are_answered_quickly() {
    let numbered = |count: u32, item: fn(u32) -> String| (0..count).map(item).collect::<String>();
    let dead = numbered(300_000, |node| format!("[{}, {}],\n", node % 1000, node / 1000));
    let keys = numbered(200_000, |key| format!("key_{key} = 1\n"));
    let lengths = numbered(2_000_000, |_| "2,\n".to_owned());
    let nowhere = numbered(300_000, |_| "[9999, 0],\n".to_owned());
    let key = "k".repeat(5_000_000);
    let begin = std::time::Instant::now();
    let scenario = machine(&format!("shape = [1000, 400]\ndead_nodes = [{dead}]"));
    resolve(&scenario, "large.toml", Path::new(""), &[]).unwrap_or_else(|error| panic!("{error}"));
    check(&machine(&format!("dead_nodes = [{nowhere}]")), &[], &["bad.toml:4: machine.dead_nodes = ["]);
    check(&machine(&keys), &[], &["machine.key_0 = 1: [machine] has no such key"]);
    check(
        &machine(&format!("shape = [{lengths}]")),
        &[],
        &["machine.shape", "1 to 6 dimensions, not 2000000"],
    );
    for text in [
        format!("{key} = 1\n{WORKLOAD}"),
        machine(&format!("{key} = 1")),
        format!("[workload]\nkind = \"{key}\""),
    ] {
        let message = message(&text, &[]);
        assert!(message.len() < 1_000, "{} bytes", message.len());
    }
    let seconds = begin.elapsed().as_secs();
    assert!(seconds < 60, "{seconds} s");
}

#[test]
fn sizes_are_checked_before_they_are_multiplied() {
    check(
        &machine("packet.chunk_bytes = 2147483648"),
        &[],
        &["bad.toml:4: machine.packet.chunk_bytes = 2147483648: must be from 1 to 4096"],
    );
    check(
        &machine("packet.max_chunks = 255\npacket.chunk_bytes = 4294967295"),
        &[],
        &["bad.toml:5: machine.packet.chunk_bytes = 4294967295"],
    );
}

#[test]
fn a_checkpoint_is_a_file() {
    for path in ["/dev/zero", env!("CARGO_MANIFEST_DIR")] {
        let error = Run::resume(Path::new(path), None).err().unwrap().to_string();
        assert_eq!(error, format!("{path}: is not a file: the checkpoint of a run is needed"));
    }
}
