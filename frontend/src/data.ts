// What the page is given: `pytest_todeval/runs/viewer/run_data.py` makes it.

export interface Row {
  key: string;
  test: string;
  goal: string;
  trial: number;
  bot: string;
  user: string;
  outcome: string;
  group: number | null;
  why: string;
  what: string;
  turn: number | null;
  turns: number;
  seconds: number;
  dollars: number | null;
  domains: string[];
  labels: string[];
  quarantined: boolean;
}

export interface Group {
  title: string;
  names: string[];
  shape: string;
  outcome: string;
  owner: string;
  calls: string;
  reason: string;
  bots: string[];
  domains: string[];
  keys: string[];
}

export interface Value {
  name: string;
  score: boolean;
  scale: [number, number];
  mean: number;
  low: number;
  high: number;
  goals: number;
}

export interface PartRow {
  name: string;
  dialogues: number;
  failed: number;
  spoiled: number;
  values: Record<string, [number, number, number]>;
}

export interface Part {
  name: string;
  title: string;
  rows: PartRow[];
}

export interface Change {
  name: string;
  before: number;
  now: number;
  mean: number;
  low: number;
  high: number;
  chance: number;
  finding: string;
  margin: number;
  goals: number;
  detectable: number;
}

export interface Flip {
  goal: string;
  before: [number, number];
  now: [number, number];
  keys: string[];
}

export interface Comparison {
  before: string;
  goals: number;
  changes: Change[];
  broke: Flip[];
  mended: Flip[];
  left_out: Record<string, [number, number]>;
  only_before: number;
  only_now: number;
  differing: string[];
}

export interface Series {
  name: string;
  branch: string;
  bot: string;
  runs: [string, string, number][];
  changes: { place: number; before: number; after: number }[];
}

export interface Spent {
  prompt_tokens: number | null;
  completion_tokens: number | null;
  dollars: number | null;
}

export interface Index {
  title: string;
  live: boolean;
  /** Of a page that is served: which index this is. */
  number?: number;
  verdict: { finding: string; words: string; gates: string[][] };
  environment: Record<string, unknown>;
  outcomes: { name: string; count: number; owner: string }[];
  values: Value[];
  parts: Part[];
  groups: Group[];
  rows: Row[];
  rules: Record<string, { adherence: number | null; complies: number; broken: number }>;
  charts: {
    by_turn: Record<string, [number, number, number][]>;
    resolved: Record<string, { total: number; resolved: number; by_turn: number[] }>;
    distributions: Record<string, [number, number][]>;
    cells: { bot: string; user: string; rate: number }[];
    power: { gate: string; bound: number; goals: number; rates: [number, number, number][] }[];
  };
  flips: { goals: number; flaky: number; rate: number; trials: [string, number, number][] } | null;
  spent: Record<string, Spent>;
  comparison: Comparison | null;
  history: Series[];
}

export interface ToolCall {
  name: string;
  arguments?: unknown;
  result?: unknown;
  error?: string | null;
}

export interface Booking {
  domain: string;
  reference: string;
  slots?: Record<string, string>;
}

export interface Turn {
  user?: string;
  meant?: string;
  system?: string;
  tool_calls?: ToolCall[];
  user_calls?: ToolCall[];
  state?: unknown;
  turn_state?: unknown;
  heard?: { claim: string; doubt?: string }[];
  heard_by?: string;
  booked?: Booking[];
  cancelled?: Booking[];
  latency_s?: number;
  usage?: Record<string, number | string>;
  retrieved?: unknown[];
  spans?: { name: string; seconds: number }[];
}

export interface Finding {
  kind: string;
  name: string;
  reason: string;
  turns: number[];
}

export interface Verdict {
  passed: boolean | null;
  reason: string;
  turns: number[];
  basis: string;
  applicable: boolean;
  doubt: string | null;
  refused: string | null;
}

export interface Score {
  name: string;
  value: number | null;
  reason: string;
  turn: number | null;
  scale: [number, number];
  unscored: string | null;
}

export interface RuleResult {
  name: string;
  says?: string;
  turn?: number | null;
  value: number | null;
  reason?: string;
}

export interface GoalDomain {
  domain: string;
  inform?: Record<string, string>;
  book?: Record<string, string>;
  request?: string[];
}

export interface Dialogue {
  goal?: { message?: string[]; domains?: GoalDomain[]; labels?: string[] };
  turn?: number;
  findings?: Finding[];
  verdicts?: Record<string, Verdict>;
  scores?: Score[];
  rules?: RuleResult[];
  turns?: Turn[];
  bookings?: Booking[];
  stop_reason?: string;
  detail?: string;
  raised?: string;
  last_words?: string;
  notes?: string[];
  drift?: { turn: number; was: string; now: string }[];
  calls?: Record<string, Record<string, unknown>>;
  metrics?: Record<string, boolean | number>;
  replay: string;
  pin: string;
  before?: Dialogue;
}

/** Dialogues in a chunk; `CHUNK` of `viewer/page.py`. */
const CHUNK = 50;

/** Whether the page is served: it then asks for its data, beside its own address. */
const served = document.querySelector("meta[name=todeval-served]") !== null;

async function load(name: string): Promise<unknown> {
  if (served) return JSON.parse(await asked(name, location.search));
  const text = document.getElementById(name)?.textContent ?? "";
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

async function asked(name: string, query: string): Promise<string> {
  const answer = await fetch(`${name}.json${query}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text}`);
  return text;
}

/** What the page holds or, if it is served, asks for under that name. */
export const loadPart = <T,>(name: string): Promise<T> => load(name) as Promise<T>;

export const has = (name: string): boolean => document.getElementById(name) !== null;

export const loadIndex = (): Promise<Index> => load("index") as Promise<Index>;

/** The index of a run that goes on, if it is another by now. */
export async function newerIndex(than: Index): Promise<Index | null> {
  const text = await asked("index", `${location.search || "?"}&have=${than.number}`);
  return text ? JSON.parse(text) : null;
}

const chunks = new Map<number, Promise<Dialogue[]>>();

export async function loadDialogue(place: number): Promise<Dialogue> {
  const number = Math.floor(place / CHUNK);
  let chunk = chunks.get(number);
  if (!chunk) {
    chunk = load(`chunk-${number}`) as Promise<Dialogue[]>;
    chunks.set(number, chunk);
  }
  return (await chunk)[place % CHUNK];
}

/** What a run that goes on has told is asked for again. */
export function forget(): void {
  chunks.clear();
  said = null;
}

let said: Promise<string[]> | null = null;

/** All that was said in each dialogue, in small letters, to search in. */
export function loadWords(rows: Row[]): Promise<string[]> {
  said ??= Promise.all(
    rows.map(async (_, place) => {
      const turns = (await loadDialogue(place)).turns ?? [];
      return turns.map((turn) => `${turn.user ?? ""}\n${turn.system ?? ""}`).join("\n").toLowerCase();
    }),
  );
  return said;
}

export const isServed = served;

/** Whether recorded calls are served, too. */
export const hasCassettes = document.querySelector("meta[name=todeval-cassettes]") !== null;
