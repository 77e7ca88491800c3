"""Checks recorded traffic against Discord's published OpenAPI description.

The description is not part of this project: its path comes from `PLOTROOM_DISCORD_OPENAPI`, or it lies beside the
checkout in `../shared/`. Some of its habits are evened out first: alternatives written as `oneOf` overlap, so they are
read as `anyOf`; clients send ids as numbers as well as strings; permission sets travel as strings of digits; and the
errors of single fields, to which it gives the numeric codes of whole answers, have words for codes in Discord's manual
(`BASE_TYPE_REQUIRED`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry
from referencing.jsonschema import DRAFT202012

ROOT = Path(__file__).parents[2]
ENVIRONMENT = "PLOTROOM_DISCORD_OPENAPI"
_PERMISSION_SETS = frozenset({"permissions", "allow", "deny", "default_member_permissions"})
_PARAMETER = re.compile(r"\{[^}]*\}")


def description_path() -> Path | None:
    """Where the description lies, or None where there is none."""
    named = os.environ.get(ENVIRONMENT)
    path = Path(named) if named else ROOT.parent / "shared" / "discord-openapi.json"
    return path if path.is_file() else None


def _formats() -> FormatChecker:
    checker = FormatChecker(formats=())

    @checker.checks("date-time", raises=ValueError)
    def _(value: object) -> bool:
        return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None

    @checker.checks("uri")
    def _(value: object) -> bool:
        return not isinstance(value, str) or re.match(r"[a-z]+://\S+$", value) is not None

    return checker


def _even_out(node: Any, *, requests: bool, key: str = "") -> Any:
    """A copy of a schema in which the three habits are allowed for; the last two in requests only."""
    if isinstance(node, list):
        return [_even_out(entry, requests=requests) for entry in node]
    if not isinstance(node, dict):
        return node
    done = {
        ("anyOf" if name == "oneOf" else name): _even_out(entry, requests=requests, key=name)
        for name, entry in node.items()
    }
    if "oneOf" in node and "anyOf" in node:
        done["anyOf"] = _even_out([*node["anyOf"], *node["oneOf"]], requests=requests)
    if not requests:
        return done
    if node.get("format") == "snowflake":
        return {"anyOf": [done, {"type": "integer", "minimum": 0}]}
    kind = node.get("type")
    if key in _PERMISSION_SETS and (kind == "integer" or (isinstance(kind, list) and "integer" in kind)):
        return {"anyOf": [done, {"type": "string", "pattern": "^[0-9]+$"}]}
    return done


class Contract:
    """The description, ready to judge exchanges."""

    def __init__(self, path: Path) -> None:
        document = json.loads(path.read_text(encoding="utf-8"))
        self._paths: dict[str, tuple[str, dict[str, Any]]] = {
            _PARAMETER.sub("{}", template): (template, operations) for template, operations in document["paths"].items()
        }
        self._responses = document["components"]["responses"]
        fields = document["components"]["schemas"]["InnerErrors"]["properties"]["_errors"]
        fields["items"] = {
            "type": "object",
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
            "required": ["code", "message"],
            "additionalProperties": False,
        }
        registry: Registry[Any] = Registry()
        for name, requests in (("urn:requests", True), ("urn:responses", False)):
            registry = registry.with_resource(name, DRAFT202012.create_resource(_even_out(document, requests=requests)))
        self._registry = registry
        self._formats = _formats()
        self._validators: dict[str, Draft202012Validator] = {}

    def check(self, exchange: Mapping[str, Any]) -> list[str]:
        """Every way in which a recorded exchange breaks the description; an empty list when it keeps to it."""
        method, route = exchange["method"].lower(), exchange["route"]
        where = f"{exchange['method']} {route}"
        template, operations = self._paths.get(_PARAMETER.sub("{}", route), (route, {}))
        operation = operations.get(method)
        if operation is None:
            return [f"{where}: not in the description"]
        pointer = f"#/paths/{template.replace('~', '~0').replace('/', '~1')}/{method}"
        return [
            *self._request(where, pointer, operation, exchange),
            *self._response(where, pointer, operation, exchange),
        ]

    def _request(self, where: str, pointer: str, operation: dict[str, Any], exchange: Mapping[str, Any]) -> list[str]:
        body = exchange["request"]
        if not 200 <= exchange["status"] < 300:
            return []  # what was refused need not have been right
        known = {entry["name"] for entry in operation.get("parameters", ()) if entry.get("in") == "query"}
        defects = [f"{where}: unknown query parameter {name}" for name in sorted(set(exchange["query"]) - known)]
        content = operation.get("requestBody", {}).get("content", {})
        kind = "multipart/form-data" if exchange["files"] else "application/json"
        if body is None:
            if operation.get("requestBody", {}).get("required"):
                defects.append(f"{where}: the request has no body")
        elif kind not in content:
            # Discord's client libraries send a JSON null or an empty object where nothing is wanted.
            if body not in (None, {}):
                defects.append(f"{where}: the request has a body")
        else:
            escaped = kind.replace("/", "~1")
            schema = f"urn:requests{pointer}/requestBody/content/{escaped}/schema"
            defects += [f"{where}: request {defect}" for defect in self._validate(schema, body)]
        return defects

    def _response(self, where: str, pointer: str, operation: dict[str, Any], exchange: Mapping[str, Any]) -> list[str]:
        status = str(exchange["status"])
        listed = operation["responses"]
        name = status if status in listed else f"{status[0]}XX"
        if name not in listed:
            return [f"{where}: status {status} is not in the description"]
        here = f"{pointer}/responses/{name}"
        answer = listed[name]
        if "$ref" in answer:
            here = answer["$ref"]
            answer = self._responses[here.rsplit("/", 1)[1]]
        schema = answer.get("content", {}).get("application/json")
        if schema is None:
            return [] if exchange["response"] is None else [f"{where}: status {status} has no body"]
        defects = self._validate(f"urn:responses{here}/content/application~1json/schema", exchange["response"])
        return [f"{where}: response {status} {defect}" for defect in defects]

    def _validate(self, reference: str, value: Any) -> list[str]:
        validator = self._validators.get(reference)
        if validator is None:
            validator = Draft202012Validator({"$ref": reference}, registry=self._registry, format_checker=self._formats)
            self._validators[reference] = validator
        return [f"{error.json_path}: {_cause(error)}" for error in validator.iter_errors(value)]


def _cause(error: Any) -> str:
    """The message; for a failed alternative also what the nearest one wanted."""
    text = error.message[:300]
    if error.context:
        best = min(error.context, key=lambda entry: -len(entry.absolute_path))
        text += f" [{best.json_path}: {best.message[:200]}]"
    return text
