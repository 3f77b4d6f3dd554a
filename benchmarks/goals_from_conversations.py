"""People's conversations made into goals and played against the reference bot; no pytest, no model.

    python benchmarks/goals_from_conversations.py --data ../shared/data --n 200

Dialogues of MultiWOZ's test set that book a restaurant, hotel or train, with the calls that their
annotation shows, are written as exports in four formats (a quarter in each): OpenTelemetry,
OpenInference, Langfuse, LangSmith. `todeval goals from` makes goals of them; the agenda user plays
each with the reference bot. A goal replays the effects if each booking of the conversation is made
again: the same domain, with the same values of all that the conversation's booking call had
(day, people, stay, time), at a place that meets what the user said.
"""

import argparse
import json
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.facts.calls.wishes import agrees
from pytest_todeval.research.offline.transcripts.reading import read_transcripts
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.start.drafts.conversations import DraftedGoal, drafts_of
from pytest_todeval.systems import RuleSystem
from pytest_todeval.worlds import registry

BOOKED = ("restaurant", "hotel", "train")
FORMATS = ("otel", "openinference", "langfuse", "langsmith")
EMPTY = ("", "not mentioned", "none", "dontcare", "don't care", "do n't care")
Messages = list[dict[str, Any]]


def conversation(dialogue: Mapping[str, Any]) -> tuple[Messages, dict[str, dict[str, str]]]:
    """A dialogue as messages of OpenAI's API with calls, and its bookings by domain."""
    messages: Messages = []
    known: dict[str, dict[str, str]] = {}
    booked: dict[str, dict[str, str]] = {}
    for at, turn in enumerate(dialogue["log"]):
        if at % 2 == 0:
            messages.append({"role": "user", "content": turn["text"]})
            continue
        for domain, state in turn["metadata"].items():
            semi = {
                slot: v
                for slot, v in state["semi"].items()
                if isinstance(v, str) and v not in EMPTY
            }
            if domain in BOOKED and semi and semi != known.get(domain):
                known[domain] = semi
                messages += call(f"find_{domain}", semi, {"count": 1}, len(messages))
            rows = [row for row in state["book"].get("booked", ()) if row.get("reference")]
            if domain in BOOKED and rows and domain not in booked:
                slots = {
                    s: v for s, v in state["book"].items() if isinstance(v, str) and v not in EMPTY
                }
                booked[domain] = slots
                named = {key: rows[-1][key] for key in ("name", "trainID") if key in rows[-1]}
                told = {"status": "confirmed", "reference": rows[-1]["reference"]}
                messages += call(f"book_{domain}", {**named, **slots}, told, len(messages))
        messages.append({"role": "assistant", "content": turn["text"]})
    return messages, booked


def call(name: str, arguments: Mapping[str, str], result: Any, number: int) -> Messages:
    """A call and its result."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    made = {"id": f"call-{number}", "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [made]},
        {"role": "tool", "tool_call_id": f"call-{number}", "content": json.dumps(result)},
    ]


def asked(messages: Messages) -> Iterator[tuple[Messages, dict[str, Any]]]:
    """Each call of the model: what it was given, and what it answered."""
    for at, message in enumerate(messages):
        if message["role"] == "assistant":
            yield messages[:at], message


def otel(id: str, messages: Messages) -> Iterator[dict[str, Any]]:
    for at, (given, answer) in enumerate(asked(messages)):
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.conversation.id": id,
            "gen_ai.input.messages": json.dumps([*map(as_parts, given)]),
            "gen_ai.output.messages": json.dumps([as_parts(answer)]),
        }
        yield {
            "name": "chat m",
            "start_time": f"2026-01-01T00:00:{at:02}Z",
            "attributes": attributes,
        }


def as_parts(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message as OpenTelemetry's conventions have it."""
    if message["role"] == "tool":
        part = {
            "type": "tool_call_response",
            "id": message["tool_call_id"],
            "response": message["content"],
        }
        return {"role": "tool", "parts": [part]}
    parts = [{"type": "text", "content": message["content"]}] if message["content"] else []
    for each in message.get("tool_calls", ()):
        arguments = json.loads(each["function"]["arguments"])
        one = {"type": "tool_call", "id": each["id"], "name": each["function"]["name"]}
        parts.append({**one, "arguments": arguments})
    return {"role": message["role"], "parts": parts}


def openinference(id: str, messages: Messages) -> Iterator[dict[str, Any]]:
    for at, (given, answer) in enumerate(asked(messages)):
        found = {"openinference.span.kind": "LLM", "session.id": id}
        for way, said in (("input", given), ("output", [answer])):
            for n, message in enumerate(said):
                start = f"llm.{way}_messages.{n}.message"
                found[f"{start}.role"] = message["role"]
                if message.get("content"):
                    found[f"{start}.content"] = message["content"]
                if "tool_call_id" in message:
                    found[f"{start}.tool_call_id"] = message["tool_call_id"]
                for k, each in enumerate(message.get("tool_calls", ())):
                    inner = f"{start}.tool_calls.{k}.tool_call"
                    found[f"{inner}.id"] = each["id"]
                    found[f"{inner}.function.name"] = each["function"]["name"]
                    found[f"{inner}.function.arguments"] = each["function"]["arguments"]
        yield {"name": "llm", "start_time": f"2026-01-01T00:00:{at:02}Z", "attributes": found}


def langfuse(id: str, messages: Messages) -> Iterator[dict[str, Any]]:
    for at, (given, answer) in enumerate(asked(messages)):
        yield {
            "id": f"{id}-{at}", "type": "GENERATION", "traceId": f"t-{id}-{at}", "sessionId": id,
            "startTime": f"2026-01-01T00:00:{at:02}Z", "input": given, "output": answer,
        }  # fmt: skip


def langsmith(id: str, messages: Messages) -> Iterator[dict[str, Any]]:
    for at, (given, answer) in enumerate(asked(messages)):
        yield {
            "id": f"{id}-{at}", "run_type": "llm", "start_time": f"2026-01-01T00:00:{at:02}Z",
            "inputs": {"messages": [[*map(serialised, given)]]},
            "outputs": {"generations": [[{"message": serialised(answer)}]]},
            "extra": {"metadata": {"thread_id": id}},
        }  # fmt: skip


def serialised(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message as LangChain writes it."""
    kind = {"user": "HumanMessage", "assistant": "AIMessage", "tool": "ToolMessage"}[
        message["role"]
    ]
    calls = [
        {
            "name": each["function"]["name"],
            "args": json.loads(each["function"]["arguments"]),
            "id": each["id"],
        }
        for each in message.get("tool_calls", ())
    ]
    kwargs = {"content": message["content"] or "", "tool_call_id": message.get("tool_call_id")}
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind],
            "kwargs": {**kwargs, **({"tool_calls": calls} if calls else {})}}  # fmt: skip


WRITERS = {
    "otel": otel,
    "openinference": openinference,
    "langfuse": langfuse,
    "langsmith": langsmith,
}


def played(draft: DraftedGoal, booked: Mapping[str, Mapping[str, str]], settings: Any) -> str:
    """`replays`, or why the goal's dialogue does not come to the conversation's effects."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "goals.json"
        path.write_text(json.dumps({"database": "multiwoz", "goals": [draft.entry]}))
        goals = registry.load(str(path), settings=settings)
        goal: Goal = goals.goals[0]
        if goals.world.impossible(goal):
            return "no row of the database meets what the user said"
        backend = goals.world.backend(goal)
        dialogue = run_dialogue(goal, goals.world.user(goal), RuleSystem, backend=backend)
        if dialogue.fault is not None:
            return f"{dialogue.fault}: {dialogue.detail[:60]}"
        made = {each.domain: each.slots for each in dialogue.final_bookings}
        for domain, slots in booked.items():
            if domain not in made:
                wants = any(part.domain == domain for part in goal.parts)
                return "a booking was not made" if wants else "a booking is not in the goal"
            for slot, value in slots.items():
                if not agrees(slot, value, str(made[domain].get(slot, ""))):
                    part = goal.domain(domain)
                    has = part is not None and slot in {**part.book, **part.inform}
                    return (
                        f"another {slot}"
                        if has
                        else f"{slot} was never said by the user as it is booked"
                    )
        verdict = goals.world.evaluate(dialogue, backend)["booking"]
        return "replays" if verdict.passed or verdict.undecided else "a place that does not meet it"


def main() -> None:
    """Write the exports, read them, play, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--n", type=int, default=200)
    given = parser.parse_args()
    archive = zipfile.ZipFile(Path(given.data) / "multiwoz" / "test.json.zip")
    corpus = json.loads(archive.read("test.json"))
    chosen: dict[str, Any] = {}
    for name, dialogue in corpus.items():
        messages, booked = conversation(dialogue)
        if booked and len(chosen) < given.n:
            chosen[name] = messages, booked
    total: Counter[str] = Counter()
    for at, format in enumerate(FORMATS):
        ids = [*chosen][at :: len(FORMATS)]
        found: Counter[str] = Counter()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{format}.jsonl"
            rows = [row for id in ids for row in WRITERS[format](id, chosen[id][0])]
            path.write_text("\n".join(map(json.dumps, rows)))
            read = read_transcripts(path)
            assert read.format == format
        drafts = drafts_of({each.id: each.dialogue for each in read.found})
        found.update({"no goal": len(drafts.left_out)} if drafts.left_out else {})
        found.update(
            {"folded into another": n} if (n := sum(len(d.like) for d in drafts.goals)) else {}
        )
        by_id = {id.replace(".json", ""): id for id in ids} | {id: id for id in ids}
        for draft in drafts.goals:
            booked = chosen[by_id[str(draft.entry["id"])]][1]
            found[played(draft, booked, {"data": given.data})] += 1
        print(
            f"{format}: {len(ids)} conversations, {found['replays']} replay their effects",
            flush=True,
        )
        total += found
    share = total["replays"] / len(chosen)
    print(f"all: {total['replays']} of {len(chosen)} replay their effects ({share:.1%})")
    for reason, count in total.most_common():
        print(f"  {count:4}  {reason}")


if __name__ == "__main__":
    main()
