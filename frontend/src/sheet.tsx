// People rate what a judge rated: turn by turn, by what was said up to it. Nothing leaves the page
// but the file that they save.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Bubble } from "./chat";
import { offer } from "./save";
import { named, readable } from "./text";

interface Item {
  id: string;
  turn: number | null;
  question: string;
  scale: number[];
}

interface RatedDialogue {
  turns: { user: string; bot: string; calls: string[] }[];
  items: Item[];
}

export interface SheetData {
  format: string;
  guides: Record<string, string>;
  dialogues: RatedDialogue[];
}

type Answers = Record<string, number | string>;

const SKIPPED = "n/a";

function seedOf(text: string): number {
  let seed = 2166136261;
  for (const sign of text) seed = Math.imul(seed ^ (sign.codePointAt(0) ?? 0), 16777619);
  return seed >>> 0;
}

/** Another order for each rater, the same whenever they come back. */
function shuffled(count: number, name: string): number[] {
  let seed = seedOf(name);
  const random = () => {
    seed = (seed + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const places = Array.from({ length: count }, (_, place) => place);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [places[last], places[other]] = [places[other], places[last]];
  }
  return places;
}

function kept(place: string): Answers {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "{}");
  } catch {
    return {}; // a browser that keeps nothing for files
  }
}

function keep(place: string, answers: Answers): void {
  try {
    localStorage.setItem(place, JSON.stringify(answers));
  } catch {
    // as above
  }
}

export function Sheet({ data }: { data: SheetData }) {
  const [rater, setRater] = useState("");
  const [answers, setAnswers] = useState<Answers>({});
  const [at, setAt] = useState(0);
  const [unsaved, setUnsaved] = useState(false);
  const [wrong, setWrong] = useState("");
  const name = rater.trim();
  const order = shuffled(data.dialogues.length, name);
  const place = `todeval ${name} ${seedOf(JSON.stringify(data))}`;
  const open = (dialogue: RatedDialogue) => dialogue.items.filter((item) => !(item.id in answers));
  const dialogue = data.dialogues[order[at]];
  const now: Item | undefined = name ? open(dialogue)[0] : undefined;

  const begin = (who: string, more: Answers = {}) => {
    const own = shuffled(data.dialogues.length, who.trim());
    const where = `todeval ${who.trim()} ${seedOf(JSON.stringify(data))}`;
    const found = { ...kept(where), ...more };
    keep(where, found);
    setRater(who);
    setAnswers(found);
    setAt(Math.max(0, own.findIndex((each) => data.dialogues[each].items.some((item) => !(item.id in found)))));
  };
  const answer = (item: Item, grade: number | string) => {
    const found = { ...answers, [item.id]: grade };
    keep(place, found);
    setAnswers(found);
    setUnsaved(true);
  };
  const step = (by: number) => setAt((at + by + order.length) % order.length);
  const save = () => {
    const text = JSON.stringify({ format: data.format, rater: name, answers }, null, 1);
    offer(new Blob([text], { type: "application/json" }), `ratings-${name.replace(/[^\w-]+/g, "_")}.json`);
    setUnsaved(false);
  };
  const load = async (file: File | undefined) => {
    if (!file) return;
    try {
      const read = JSON.parse(await file.text());
      if (read.format !== data.format) throw new Error("another format");
      setWrong("");
      begin(read.rater, read.answers);
    } catch (error) {
      setWrong(`This is no file that this page saved: ${error}`);
    }
  };

  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const on = event.target as HTMLInputElement;
      if ((on.tagName === "INPUT" && on.type !== "radio") || event.ctrlKey || event.metaKey || event.altKey || !now) return;
      if (event.key !== " " && now.scale.includes(Number(event.key))) answer(now, Number(event.key));
      else if (event.key === "n" || event.key === "0") answer(now, SKIPPED);
    };
    const leave = (event: BeforeUnloadEvent) => unsaved && event.preventDefault();
    window.addEventListener("keydown", press);
    window.addEventListener("beforeunload", leave);
    return () => {
      window.removeEventListener("keydown", press);
      window.removeEventListener("beforeunload", leave);
    };
  });

  const all = data.dialogues.reduce((sum, each) => sum + each.items.length, 0);
  const done = data.dialogues.reduce((sum, each) => sum + each.items.length - open(each).length, 0);
  return (
    <>
      <header class="top rating">
        <label>
          Your name{" "}
          <input id="rater" maxLength={60} size={14} autocomplete="off" value={rater} onChange={(event) => begin(event.currentTarget.value)} />
        </label>
        <span role="status">
          {name && `dialogue ${at + 1} of ${data.dialogues.length}, ${done} of ${all} ratings${unsaved ? ", not saved yet" : ""}`}
        </span>
        <button type="button" disabled={!name} onClick={() => step(-1)}>Back</button>
        <button type="button" disabled={!name} onClick={() => step(1)}>Next</button>
        <button type="button" disabled={!name} onClick={save}>Save to a file</button>
        <label>
          Go on from a file{" "}
          <input type="file" accept=".json" onChange={(event) => load(event.currentTarget.files?.[0])} />
        </label>
      </header>
      <main class="sheet">
        <h1>Rate a bot's dialogues</h1>
        <p class="quiet">
          Rate each reply by what was said up to it. The next turn appears once this one is rated. Keys: the digits of
          the scale, or 0 or n for “not applicable”. Nothing leaves this page but the file that you save; send that file
          back.
        </p>
        {wrong && <p class="finding bad" role="alert">{readable(wrong)}</p>}
        {name ? (
          <Rated key={order[at]} data={data} dialogue={dialogue} now={now} answers={answers} answer={answer} />
        ) : (
          <p>Write your name above to begin; it is the name of your column.</p>
        )}
      </main>
    </>
  );
}

interface Asking {
  data: SheetData;
  answers: Answers;
  answer: (item: Item, grade: number | string) => void;
  now?: Item;
}

function Rated({ dialogue, ...asking }: Asking & { dialogue: RatedDialogue }) {
  const { now } = asking;
  const last = now?.turn ?? dialogue.turns.length;
  const of = (turn: number | null) => dialogue.items.filter((item) => item.turn === turn);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("fieldset.now")?.scrollIntoView({ block: "center" }), [now?.id]);
  return (
    <div ref={box}>
      <ol class="chat">
        {dialogue.turns.slice(0, last).map((turn, place) => (
          <li key={place}>
            <span class="place">{place + 1}</span>
            <div class="said">
              <Bubble who="user" text={turn.user} />
              {turn.calls.length > 0 && (
                <details class="call">
                  <summary>what the bot looked up or did ({turn.calls.length})</summary>
                  {turn.calls.map((call, each) => <pre key={each} tabIndex={0}>{readable(call)}</pre>)}
                </details>
              )}
              <Bubble who="bot" text={turn.bot} />
              {of(place + 1).map((item) => <Asked key={item.id} item={item} {...asking} />)}
            </div>
          </li>
        ))}
      </ol>
      {(!now || now.turn === null) && of(null).map((item) => <Asked key={item.id} item={item} {...asking} />)}
      {!now && <p role="status">This dialogue is done. Go on to the next one.</p>}
    </div>
  );
}

function Asked({ item, data, answers, answer, now }: Asking & { item: Item }) {
  const is = item === now;
  return (
    <fieldset class={is ? "now" : ""}>
      <legend>{named(item.question)}, {item.turn === null ? "the whole dialogue" : `turn ${item.turn}`}</legend>
      {is && data.guides[item.question] && <p class="guide">{readable(data.guides[item.question])}</p>}
      {[...item.scale, SKIPPED].map((grade) => (
        <label key={grade}>
          <input type="radio" name={item.id} checked={answers[item.id] === grade} onChange={() => answer(item, grade)} />{" "}
          {grade === SKIPPED ? "not applicable" : grade}
        </label>
      ))}
    </fieldset>
  );
}
