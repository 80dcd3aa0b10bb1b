//! The texts of the built-in machines.

/// The key of the preset.
pub(super) const KEY: &str = "machine.preset";

/// The built-in machines, compiled in so that an installed package needs no checkout.
pub(crate) const PRESETS: [(&str, &str); 11] = [
    ("bluegene-l", include_str!("../../../../machines/bluegene-l.toml")),
    ("bluegene-l-early", include_str!("../../../../machines/bluegene-l-early.toml")),
    ("bluegene-p", include_str!("../../../../machines/bluegene-p.toml")),
    ("generic", include_str!("../../../../machines/generic.toml")),
    ("tofu-d", include_str!("../../../../machines/tofu-d.toml")),
    ("tpu-7x", include_str!("../../../../machines/tpu-7x.toml")),
    ("tpu-v4", include_str!("../../../../machines/tpu-v4.toml")),
    ("tpu-v5e", include_str!("../../../../machines/tpu-v5e.toml")),
    ("tpu-v5p", include_str!("../../../../machines/tpu-v5p.toml")),
    ("tpu-v6e", include_str!("../../../../machines/tpu-v6e.toml")),
    ("trainium2", include_str!("../../../../machines/trainium2.toml")),
];

/// The preset of a torus of today, whose router is that of no maker.
pub(crate) const GENERIC: &str = "generic";

/// Whether a preset is that of a maker's machine.
pub(super) fn is_makers(preset: &str) -> bool {
    preset != GENERIC && preset_text(preset).is_some()
}

/// The text of a built-in preset's file, if such a preset exists.
pub(crate) fn preset_text(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
