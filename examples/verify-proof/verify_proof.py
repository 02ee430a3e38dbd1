#!/usr/bin/env python3
"""Verifies a goal's proof without Goalkeeper: pip install securesystemslib cryptography

    python verify_proof.py BUNDLE --key KEY.pem --repo DIR

Signatures (DSSE) by securesystemslib, statements (in-toto v1), the SHA-256 of each changed file, and
the git tree that was proven, computed again from the commit that the work began with.
"""

import argparse
import base64
import hashlib
import json
import os
import stat
import subprocess
import sys

from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_public_key,
)
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT = "https://in-toto.io/Statement/v1"
TYPES = [
    "https://goalkeeper.dev/attestation/goal-proof/v1",
    "https://in-toto.io/attestation/test-result/v0.1",
    "https://slsa.dev/verification_summary/v1",
]


class Refused(Exception):
    pass


def demand(holds, problem):
    if not holds:
        raise Refused(problem)


def read_json(text):
    def unique(pairs):
        demand(len(dict(pairs)) == len(pairs), "a JSON object has a key twice")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=unique)


def read_key(path):
    with open(path, "rb") as file:
        key = load_pem_public_key(file.read())
    der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return SSlibKey.from_crypto(key, keyid=hashlib.sha256(der).hexdigest())


def open_bundle(path, key):
    """The statements, each verified before it is read."""
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    demand(text.endswith("\n"), "the file was cut off")
    statements, digests = [], []
    for line in text[:-1].split("\n"):
        envelope = Envelope.from_dict(read_json(line))
        # Base64 and JSON can write the same bytes in several ways; an export writes one.
        known = read_json(line)
        demand(envelope.to_dict() == known, "an envelope holds more, or is encoded another way")
        demand(json.dumps(known, separators=(",", ":")) == line, "it is written in another way")
        demand(envelope.payload_type == PAYLOAD_TYPE, "an envelope holds something else")
        envelope.verify([key], 1)
        digests.append(hashlib.sha256(envelope.payload).hexdigest())
        statements.append(read_json(envelope.payload.decode("utf-8")))
    demand([one["predicateType"] for one in statements] == TYPES, "statements are missing or moved")
    for one in statements:
        demand(one["_type"] == STATEMENT, "a statement is of another version")
        demand(one["subject"] == statements[0]["subject"], "statements are about different things")
        demand(all(entry["digest"] for entry in one["subject"]), "a subject has no digest")
    named = [entry["digest"]["sha256"] for entry in statements[2]["predicate"]["inputAttestations"]]
    demand(named == digests[:2], "the summary is of other statements")
    return statements


def read_file(repo, path):
    """Mode as git writes it, and content; None where there is no file or link."""
    demand(".." not in path.split("/"), f"{path} lies elsewhere")
    full = os.path.join(repo, path)
    if not os.path.lexists(full) or os.path.realpath(os.path.dirname(full)) != os.path.normpath(
        os.path.join(os.path.realpath(repo), os.path.dirname(path))
    ):
        return None
    status = os.lstat(full)
    if stat.S_ISLNK(status.st_mode):
        return "120000", os.readlink(os.fsencode(full))
    if not stat.S_ISREG(status.st_mode):
        return None
    with open(full, "rb") as file:
        return ("100755" if status.st_mode & 0o100 else "100644"), file.read()


def git_id(kind, content):
    return hashlib.sha1(b"%s %d\0" % (kind.encode(), len(content)) + content).hexdigest()


def original_files(repo, base):
    """Mode and blob of each file that the work began with, by path."""
    files = {}
    demand("missing" not in base, f"the original can't be made again: {base.get('missing')}")
    if base["commit"] is not None:
        listed = subprocess.run(
            ["git", "ls-tree", "-r", "-z", base["commit"]], cwd=repo, capture_output=True, check=False
        )
        demand(listed.returncode == 0, f"commit {base['commit']} is not in {repo}")
        for line in filter(None, listed.stdout.split(b"\0")):
            about, path = line.split(b"\t", 1)
            mode, kind, blob = about.decode().split(" ")
            if kind == "blob":
                files[path.decode()] = (mode, blob)
    for path in base["gone"]:
        files.pop(path, None)
    for file in base["files"]:
        if "content" in file:
            content = base64.b64decode(file["content"])
            demand(git_id("blob", content) == file["object"], f"{file['path']} is carried wrongly")
        files[file["path"]] = (file["mode"], file["object"])
    return files


def tree_id(files):
    folders, lines = {}, []
    for path, entry in files.items():
        name, _, rest = path.partition("/")
        if rest:
            folders.setdefault(name, {})[rest] = entry
        else:
            lines.append((name.encode(), entry[0], name, entry[1]))
    for name, inside in folders.items():
        lines.append((f"{name}/".encode(), "40000", name, tree_id(inside)))
    body = b"".join(
        f"{mode} {name}\0".encode() + bytes.fromhex(blob) for _, mode, name, blob in sorted(lines)
    )
    return git_id("tree", body)


def check_checkout(repo, statement):
    proof, base = statement["predicate"]["proof"], statement["predicate"]["base"]
    [tree, *subjects] = statement["subject"]
    files = original_files(repo, base)
    demand(tree_id(files) == proof["original"], "the original is another tree")
    digests = {entry["name"]: entry["digest"]["sha256"] for entry in subjects}
    for changed in proof["files"]:
        path, found = changed["path"], read_file(repo, changed["path"])
        if changed["sha256"] is None:
            demand(found is None, f"{path} was removed, and is there")
            files.pop(path, None)
            continue
        demand(found is not None, f"{path} is missing")
        mode, content = found
        demand(hashlib.sha256(content).hexdigest() == digests[path], f"{path} is another file")
        demand(mode == changed["mode"], f"{path} has another mode")
        files[path] = (mode, git_id("blob", content))
    demand(tree_id(files) == tree["digest"]["gitTree"], "the proven tree is another one")
    for path, (mode, blob) in files.items():
        if path in proof["beyondScope"]:
            continue
        found = read_file(repo, path)
        demand(found is not None, f"{path} is missing")
        demand((found[0], git_id("blob", found[1])) == (mode, blob), f"{path} is another file")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bundle")
    parser.add_argument("--key", required=True)
    parser.add_argument("--repo", default=".")
    given = parser.parse_args()
    try:
        [statement, _, summary] = open_bundle(given.bundle, read_key(given.key))
        demand(statement["predicate"]["level"] == "verified", "the goal is not verified")
        demand(summary["predicate"]["verificationResult"] == "PASSED", "the summary says FAILED")
        check_checkout(given.repo, statement)
    except Refused as refused:
        sys.exit(f"refused: {refused}")
    except Exception as error:  # a signature that doesn't fit, or a file that is no bundle
        sys.exit(f"refused: {type(error).__name__}: {error}")
    print(f"verified: {statement['predicate']['goal']['goalId']}, tree {statement['subject'][0]['digest']['gitTree']}")


if __name__ == "__main__":
    main()
