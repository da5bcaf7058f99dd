"""JSON documents that catmint writes, beside their schemas in docs/."""

import functools
import json

import support

try:
    import jsonschema
except ImportError:
    jsonschema = None


@functools.cache
def schema_of(name):
    """The schema of `catmint.count/1` and its like."""
    return json.loads((support.SOURCE / "docs" / f"{name.replace('/', '-')}.schema.json").read_text())


@functools.cache
def validator_of(name):
    jsonschema.Draft202012Validator.check_schema(schema_of(name))
    return jsonschema.Draft202012Validator(schema_of(name))


def parts_of(schema, root):
    """The schemas that hold for a value beside each other, without references, and the root of each."""
    file, _, place = schema.get("$ref", "#").partition("#")
    if file:
        root = schema_of(file.removesuffix(".schema.json"))
        yield from parts_of(root, root)
    elif place:
        yield from parts_of(root["$defs"][place.rpartition("/")[2]], root)
    yield schema, root
    for one in (*schema.get("allOf", ()), *schema.get("oneOf", ())):
        yield from parts_of(one, root)


def items_of(parts, root):
    return next(((part["items"], its) for part, its in parts if "items" in part), ({}, root))


def members_of(parts):
    return {key: (of, its) for part, its in parts for key, of in part.get("properties", {}).items()}


def is_added(schema):
    """Whether this version always writes the member and older ones did not."""
    return "Missing in older documents." in schema.get("description", "")


def misnamed(value, schema, root, path="$"):
    """Members that the schema does not name, and those that are missing and that this version always writes."""
    parts = list(parts_of(schema, root))
    if isinstance(value, list):
        return [fault for entry in value for fault in misnamed(entry, *items_of(parts, root), f"{path}[]")]
    named = members_of(parts)
    if not isinstance(value, dict) or not named:
        return []
    required = {key for part, _ in parts for key in part.get("required", ())} | {key for key, (of, _) in named.items() if is_added(of)}
    closed = any(part.get(word) is False for part, _ in parts for word in ("additionalProperties", "unevaluatedProperties"))
    faults = [f"{path}.{key}: unknown" for key in value.keys() - named.keys() if closed] + [f"{path}.{key}: missing" for key in required - value.keys()]
    return faults + [fault for key in value.keys() & named.keys() for fault in misnamed(value[key], *named[key], f"{path}.{key}")]


def older(value, schema, root):
    """The value as an older version wrote it: without members that were added."""
    parts = list(parts_of(schema, root))
    if isinstance(value, list):
        return [older(entry, *items_of(parts, root)) for entry in value]
    named = members_of(parts)
    if not isinstance(value, dict) or not named:
        return value
    return {key: older(of, *named.get(key, ({}, root))) for key, of in value.items() if not is_added(named.get(key, ({}, root))[0])}


def hold(case, document):
    """The document is as its schema says."""
    name = document["schema"]
    case.assertEqual(misnamed(document, schema_of(name), schema_of(name)), [])
    if jsonschema is not None:
        validator_of(name).validate(document)
