#!/usr/bin/env python3
"""Follows a list by its ops: reads Rowcast's answers, one JSON text a line, and draws the list after each."""
import json
import sys


def apply(ops, old):
    """The rows after a batch: `from` counts rows before it, `to` rows after it."""
    rows = list(old)
    for index in sorted((op["from"] for op in ops if op["op"] in ("delete", "move")), reverse=True):
        del rows[index]
    for op in sorted((op for op in ops if op["op"] in ("insert", "move")), key=lambda op: op["to"]):
        rows.insert(op["to"], op["row"] if op["op"] == "insert" else old[op["from"]])
    for op in ops:
        if op["op"] == "update":
            rows[op["to"]] = op["row"]
    return rows


def draw(row):
    if "placeholder" in row:
        return f"({row['placeholder']})" if row["visible"] else ""
    return f"{row['id']}: {json.dumps(row['data'], ensure_ascii=False)}"


rows, revision = None, None
for line in filter(str.strip, sys.stdin):
    answer = json.loads(line)
    if "status" in answer:
        sys.exit(f"refused: {answer['title']} {answer['detail']}")
    if rows is None or answer.get("reset"):  # nothing to go on from: begin with the snapshot
        rows, revision = answer["snapshot"]["rows"], answer["snapshot"]["revision"]
    for change in answer["changes"]:
        if change["revision"] <= revision:
            continue  # had it already
        assert change["revision"] == revision + 1, "a change is missing: ask for …/changes?since="
        rows, revision = apply(change["ops"], rows), change["revision"]
        assert len(rows) == change["rowCount"]
        print(f"\n{change['cause']}, revision {revision}: {', '.join(op['op'] for op in change['ops']) or 'no ops'}")
        print("\n".join(f"  {text}" for text in map(draw, rows) if text))
    assert (rows, revision) == (answer["snapshot"]["rows"], answer["snapshot"]["revision"]), "the ops lead elsewhere"
