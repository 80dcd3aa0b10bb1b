"""The keys of a scenario and their legal values, from its JSON Schema: for `torusim list` and the completion of shells.

schema --> {"machine.router.escape": ("bubble", "dateline"), "machine.wrap": ("true", "false"), ...}
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from torusim import _core

BOOLEANS = ("true", "false")

PRESET = "machine.preset"
"""The schema has no list of presets."""


@cache
def catalog() -> Mapping[str, Any]:
    """Presets, workloads, kernels and parameters, as plain data.

    Parameters also have `values`, the legal words if they are a closed list, and `takes_numbers`.
    """
    known: dict[str, Any] = json.loads(_core.catalog())
    for topic, key in (("workloads", "kind"), ("kernels", "name")):
        variants = _variants(key)
        for entry in known[topic]:
            all_properties = [dict(_properties(variant)) for variant in variants.get(entry[key], ())]
            for parameter in entry["parameters"]:
                schemas = [properties.get(parameter["name"], {}) for properties in all_properties]
                parameter |= _legal({"anyOf": schemas})
    properties = {key: schema for section in _sections() for key, schema in section}
    for parameter in known["parameters"]:
        parameter |= _legal(properties.get(parameter["key"], {}))
        if parameter["key"] == PRESET:
            parameter["values"] = [preset["name"] for preset in known["presets"]]
    return known


@cache
def legal_values() -> Mapping[str, tuple[str, ...]]:
    """The legal values of each key that has a closed list of them, or takes a list of these.

    They are TOML without quotes.
    """
    found: dict[str, tuple[str, ...]] = {}
    for section in _sections():
        for key, schema in section:
            found[key] = tuple(dict.fromkeys([*found.get(key, ()), *_words(schema)]))
    found[PRESET] = tuple(preset["name"] for preset in catalog()["presets"])
    return {key: values for key, values in found.items() if values}


@cache
def meanings() -> Mapping[str, str]:
    """The meaning of each key of a scenario, the keys of all kinds of workload included."""
    known = catalog()
    of_workloads = (
        parameter for kind in ("workloads", "kernels") for entry in known[kind] for parameter in entry["parameters"]
    )
    return {
        **{parameter["key"]: parameter["meaning"] for parameter in known["parameters"]},
        "workload.kind": "Kind of traffic",
        **{f"workload.{parameter['name']}": parameter["meaning"] for parameter in of_workloads},
    }


@cache
def _schema() -> Mapping[str, Any]:
    schema: Mapping[str, Any] = json.loads(_core.schema())
    return schema


def _variants(key: str) -> dict[str, list[Mapping[str, Any]]]:
    """The variants of the section `workload` by the value of a key; several share a value, as each kernel is one."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for variant in _schema()["properties"]["workload"]["oneOf"]:
        name = variant["properties"].get(key, {}).get("const")
        if name is not None:
            found.setdefault(name, []).append(variant)
    return found


def _sections() -> Iterator[Iterator[tuple[str, Mapping[str, Any]]]]:
    """(key, schema) of the properties of each section; for `workload` once per kind."""
    for section, schema in _schema()["properties"].items():
        for variant in schema.get("oneOf", [schema]):
            yield _properties(variant, f"{section}.")


def _properties(schema: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(key, schema) of every property, nested ones included."""
    for name, inner in schema.get("properties", {}).items():
        yield f"{place}{name}", inner
        for part in (inner, *inner.get("anyOf", ())):
            yield from _properties(part, f"{place}{name}.")


def _legal(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"values": list(dict.fromkeys(_words(schema))), "takes_numbers": _takes_numbers(schema)}


def _takes_numbers(schema: Mapping[str, Any]) -> bool:
    types = schema.get("type")
    is_number = bool({"integer", "number"} & set([types] if isinstance(types, str) else types or ()))
    return is_number or any(_takes_numbers(part) for part in _parts(schema))


def _parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The alternatives of a value, and the elements of a list."""
    yield from (*schema.get("anyOf", ()), *schema.get("oneOf", ()))
    if isinstance(items := schema.get("items"), Mapping):
        yield items


def _words(schema: Mapping[str, Any]) -> Iterator[str]:
    """The words that are legal as a value or as an element of a list."""
    if schema.get("type") == "boolean":
        yield from BOOLEANS
    candidates = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())]
    yield from (word for word in candidates if isinstance(word, str))
    for part in _parts(schema):
        yield from _words(part)
