// Numbers and texts as people read them.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export const OUTCOMES: Record<string, string> = {
  passed: "passed",
  failed: "failed",
  simulator_fault: "user simulator",
  judge_fault: "undecided",
  oracle_fault: "goal at fault",
  infrastructure: "infrastructure",
  stale_cassette: "stale recording",
  test_error: "test broken",
};

export function tone(outcome: string): string {
  return outcome === "passed" ? "good" : outcome === "failed" ? "bad" : "open";
}

export const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`;
export const plural = (count: number, what: string): string =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
export const seconds = (value: number): string =>
  value < 0.0995 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(value < 10 ? 1 : 0)} s`;
export const dollars = (value: number): string =>
  `$${value.toFixed(value && value < 0.1 ? 4 : 2)}`;
export const named = (name: string): string => name.replaceAll("_", " ");
export const short = (goal: string): string => goal.slice(goal.lastIndexOf("/") + 1);

export function Outcome({ name }: { name: string }) {
  return <span class={`pill ${tone(name)}`}>{OUTCOMES[name] ?? name}</span>;
}

/** A rate or a score with its interval, as a bar. */
export function Level(props: { mean: number; low: number; high: number; scale: [number, number] }) {
  const [least, most] = props.scale;
  const at = (value: number) => `${(100 * (value - least)) / (most - least)}%`;
  const width = `${(100 * (props.high - props.low)) / (most - least)}%`;
  return (
    <span class="level" aria-hidden="true">
      <span class="range" style={{ left: at(props.low), width }} />
      <span class="dot" style={{ left: at(props.mean) }} />
    </span>
  );
}

export function Copy({ text, label }: { text: string; label: string }) {
  const [done, set] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const box = document.createElement("textarea");
      box.value = text;
      document.body.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
    }
    set(true);
    setTimeout(() => set(false), 1500);
  };
  return (
    <button type="button" class="small" onClick={copy} aria-label={`Copy ${label}`}>
      {done ? "copied" : "copy"}
    </button>
  );
}

export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div class="command">
      <code tabIndex={0}>{text}</code>
      <Copy text={text} label={label} />
    </div>
  );
}

const LONGEST = 4000;

/** A text of somebody else: shown as it is, long ones cut until asked for. */
export function Words({ text, marked }: { text: string; marked?: string[] }) {
  const [whole, set] = useState(false);
  const cut = !whole && text.length > LONGEST;
  const shown = readable(cut ? text.slice(0, LONGEST) : text);
  return (
    <>
      {marked?.length ? highlight(shown, marked) : shown}
      {cut && (
        <button type="button" class="small" onClick={() => set(true)}>
          … show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
}

// What would turn the direction of what follows, or is not seen, is spelled out.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export function readable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** With the sentences marked that the reasons speak of. */
function highlight(text: string, reasons: string[]): ComponentChildren {
  const sentences = text.split(/(?<=[.!?]\s+|\n)(?=\S)/);
  const marked = new Set(reasons.flatMap((reason) => meant(sentences, reason)));
  return sentences.map((each, place) => {
    if (!marked.has(place)) return each;
    const words = each.trimEnd();
    return [<mark key={place}>{words}</mark>, each.slice(words.length)];
  });
}

/** The places of the sentences that have what a reason quotes; else of the one that has most of its words. */
function meant(sentences: string[], reason: string): number[] {
  const small = sentences.map((each) => each.toLowerCase());
  const parts = quoted(reason);
  const found = small.flatMap((each, place) => (parts.some((part) => holds(each, part)) ? [place] : []));
  if (found.length) return found;
  const wanted = stems(reason);
  const shared = small.map((each) => [...stems(each)].filter((stem) => wanted.has(stem)).length);
  const most = Math.max(...shared);
  return most ? [shared.indexOf(most)] : [];
}

/** Short parts count as whole words only. */
function holds(sentence: string, part: string): boolean {
  if (part.length > 2) return sentence.includes(part);
  return sentence.split(/[^\p{L}\p{N}]+/u).includes(part);
}

const COMMON = new Set("with that this which never says said goal want back hold such whos turn user what than have".split(" "));

function stems(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return new Set(words.map((word) => word.slice(0, 4)).filter((stem) => !COMMON.has(stem)));
}

/** The words and codes that a reason quotes. */
function quoted(reason: string): string[] {
  const found = reason.matchAll(/(?<!\w)'((?:[^']|'(?=\w))+)'|"([^"]+)"/g);
  const codes = reason.match(/\b(?=\w*\d)(?=\w*[A-Z])\w{4,}\b/g) ?? [];
  return [...[...found].map((each) => each[1] ?? each[2]), ...codes].map((each) => each.toLowerCase().trim()).filter(Boolean);
}
