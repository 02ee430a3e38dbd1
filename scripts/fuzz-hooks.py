"""
What schemathesis can't know: texts in the formats that the document names, and places that exist.
A case that is valid stays valid: what is filled in is of the kind that the document asks for.
"""

import json
import os
import random

import schemathesis
from hypothesis import strategies as st
from schemathesis.specs.openapi import checks

with open(os.environ["FUZZ_PLACES"], encoding="utf-8") as file:
    PLACES = json.load(file)
TOLD = open(os.environ["FUZZ_TOLD"], "a", buffering=1, encoding="utf-8")
CHOICE = random.Random(int(os.environ["FUZZ_SEED"]))

for name, samples in PLACES["formats"].items():
    schemathesis.openapi.format(name, st.sampled_from(samples))

enforces_auth = checks._enforces_auth


def refuses_tokens(response, authenticated):
    """The fuzzer guesses so many tokens from one address that the limit on guesses answers them."""
    if enforces_auth(response, authenticated):
        return True
    return response.status_code == 429 and "Too many unknown tokens" in response.text


checks._enforces_auth = refuses_tokens

# The service knows these alone: ids, folders, models, and commands that check something.
CRITERION = {
    "command": lambda one: {**one, "command": "test -f notes/0.txt", "cwd": "notes"},
    "file": lambda one: {**one, "path": "notes/0.txt"},
    "git": lambda one: {**one, "branch": "main", "allowedPaths": ["notes/**"]},
    "diagnostics": lambda one: {**one, "paths": ["notes"]},
    "review": lambda one: {**one, "model": PLACES["model"]},
}


def existing_criterion(one):
    kind = one.get("kind")
    if kind == "sealed" and "sealedId" in one:
        return {"kind": "approval", "question": "Is it fine?"}
    fields = CRITERION.get(kind, dict)(one)
    if one.get("scope"):
        fields["scope"] = ["notes"]
    return {key: fields[key] for key in fields if key in one}


def filled(name, value):
    """A field of a body with what exists in its place."""
    if name in ("model", "fallbackModel") and isinstance(value, str):
        return PLACES["model"]
    if name == "workspace" and isinstance(value, dict):
        return {"path": PLACES["folder"]}
    if name == "workspace":
        return PLACES["workspace"]
    if name == "workspaces":
        return [PLACES["workspace"]]
    if name == "questionId":
        return CHOICE.choice(PLACES["questions"] or [value])
    if name == "budget" and isinstance(value, dict):
        return {limit: most for limit, most in value.items() if limit != "costUsd"}
    if name == "scope" and isinstance(value, dict):
        return {part: globs for part, globs in value.items() if part != "base"} or {"change": ["**"]}
    if name == "criteria" and isinstance(value, list):
        return [existing_criterion(one) for one in value]
    if name == "criterion" and isinstance(value, dict) and "sealed" not in value:
        return existing_criterion(value)
    return value


def with_places(body):
    if not isinstance(body, dict):
        return body
    left_out = {"expectedRevision", "expectedGoalId", "replace", "requirements", "removeRequirements"}
    # Now and then they stay, and are refused as documented.
    kept = body if CHOICE.random() < 0.1 else {k: v for k, v in body.items() if k not in left_out}
    whole = kept if kept or not body else body
    return {name: filled(name, value) for name, value in whole.items()}


STARTS = ("startGoal", "estimateGoal", "putThreadGoal")
ENDS = ("clearGoal", "completeGoal")
ROLES = ["admin"] * 8 + ["operator", "agent", "viewer"]


def is_valid(case):
    return case.meta is None or case.meta.generation.mode.value == "positive"


@schemathesis.hook
def before_call(ctx, case, kwargs):
    if not is_valid(case):
        # What makes it invalid may be this header.
        case.headers.setdefault("goalkeeper-role", CHOICE.choice(ROLES))
        return
    # One token, which acts as each of the roles that it includes.
    case.headers["goalkeeper-role"] = CHOICE.choice(ROLES)
    # A key stands for one request, and a revision for one moment: now and then they stay.
    for name in ("idempotency-key", "if-match", "last-event-id"):
        if name in case.headers and CHOICE.random() < 0.9:
            del case.headers[name]
    for name, known in (("goalId", "goals"), ("approvalId", "approvals"), ("threadId", "threads")):
        if name in (case.path_parameters or {}) and PLACES[known] and CHOICE.random() < 0.9:
            case.path_parameters[name] = CHOICE.choice(PLACES[known])
    if "name" in (case.path_parameters or {}):
        case.path_parameters["name"] = PLACES["token"]
    # Times that fit each other.
    for name in ("from", "to", "seq"):
        if name in (case.query or {}):
            del case.query[name]
    if "cursor" in (case.query or {}):
        del case.query["cursor"]
    # One that is left out stays so: setting it again makes schemathesis take its absence for a fault.
    if isinstance(case.body, dict):
        case.body = with_places(case.body)
    operation = case.operation.definition.raw.get("operationId")
    if operation in STARTS and isinstance(case.body, dict):
        case.body.setdefault("workspace", {"path": PLACES["folder"]})
    if operation in ENDS and PLACES["goals"]:
        # The goals that were there first stay for the others.
        case.path_parameters["goalId"] = PLACES["goals"][-1]


@schemathesis.hook
def after_call(ctx, case, response):
    problem = {}
    if response.status_code >= 400 or case.operation.method == "post":
        try:
            problem = response.json()
        except ValueError:
            problem = {}
    if response.status_code == 201 and "goalId" in problem:
        for name, known in (("goalId", "goals"), ("threadId", "threads")):
            PLACES[known] = PLACES[known][:3] + (PLACES[known][3:] + [problem[name]])[-7:]
    code = problem.get("code") if isinstance(problem, dict) else None
    line = {
        "operation": case.operation.definition.raw.get("operationId"),
        "isValid": is_valid(case),
        "status": response.status_code,
        "code": code if response.status_code >= 400 else None,
        "field": problem.get("field") if code else None,
        "detail": problem.get("detail", "")[:200] if code else None,
        "isStated": str(response.status_code) in case.operation.definition.raw["responses"],
    }
    TOLD.write(json.dumps(line) + "\n")
