"""Holds the schemas in docs/ to be closed: check_schemas.py TREE.

Of each object that has properties, a schema allows no others, and requires each unless its description says when it is missing.
An object whose members have no names (machines, maps) says so by having no properties, and is listed here or has a schema for its values."""

import json
import pathlib
import sys

# What another document describes: the manifest of a sweep, catmint.evaluate/1.
ELSEWHERE = {"catmint.metrics-1.schema.json": ["machine"], "catmint.count-1.schema.json": ["formulas"]}


def is_object(schema):
    return "object" in (schema.get("type"), *(schema["type"] if isinstance(schema.get("type"), list) else ()))


def parts_of(schema):
    """Each schema within a schema, with its name; conditions and what stands beside a reference are none."""
    for key in ("properties", "$defs"):
        yield from schema.get(key, {}).items()
    if isinstance(schema.get("items"), dict):
        yield "[]", schema["items"]
    for one in schema.get("oneOf", ()):
        yield "", one
    if isinstance(schema.get("additionalProperties"), dict):
        yield "*", schema["additionalProperties"]


def composed_of(schema):
    """The names of definitions that this schema extends; they cannot be closed by themselves."""
    found = {one["$ref"].rpartition("/")[2] for one in schema.get("allOf", ()) if "$ref" in one}
    return found.union(*(composed_of(part) for _, part in parts_of(schema)))


def faults_of(schema, path, elsewhere, extended):
    name = path.rpartition("/")[2]
    if "properties" in schema:
        closed = "unevaluatedProperties" if "allOf" in schema else "additionalProperties"
        if schema.get(closed) is not False and name not in extended:
            yield f"{path}: expected \"{closed}\": false"
        for key, value in schema["properties"].items():
            if key not in schema.get("required", ()) and "issing" not in value.get("description", ""):
                yield f"{path}/{key}: neither required nor said to be missing"
        for key in schema.get("required", ()):
            if key not in schema["properties"] and "allOf" not in schema:
                yield f"{path}/{key}: required, but no property"
    elif is_object(schema) and not isinstance(schema.get("additionalProperties"), dict) and name not in elsewhere:
        yield f"{path}: an object of which nothing is said"
    for key, part in parts_of(schema):
        yield from faults_of(part, f"{path}/{key}", elsewhere, extended)


def main():
    files = sorted((pathlib.Path(sys.argv[1]) / "docs").glob("*.schema.json"))
    faults = [] if files else ["there is no schema"]
    for file in files:
        schema = json.loads(file.read_text(encoding="utf-8"))
        faults += faults_of(schema, file.name, ELSEWHERE.get(file.name, ()), composed_of(schema))
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
