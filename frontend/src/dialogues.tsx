import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { loadWords, type Index, type Row } from "./data";
import { change, go, link, type Route } from "./route";
import { dollars, named, Outcome, OUTCOMES, plural, readable, seconds, short } from "./text";

const SHOWN = 300;
const SORTS: Record<string, (row: Row) => number | string> = {
  outcome: (row) => (row.outcome === "failed" ? 0 : row.outcome === "passed" ? 2 : 1),
  goal: (row) => row.goal,
  turns: (row) => -row.turns,
  seconds: (row) => -row.seconds,
  cost: (row) => -(row.dollars ?? 0),
};

/** The rows that the address asks for, in its order. */
export function chosen(index: Index, route: Route, words: string[] | null): Row[] {
  const wanted = (route.q ?? "").toLowerCase().trim();
  const found = index.rows.filter((row, place) => {
    if (route.outcome && row.outcome !== route.outcome) return false;
    if (route.bot && row.bot !== route.bot) return false;
    if (route.user && row.user !== route.user) return false;
    if (route.domain && !row.domains.includes(route.domain)) return false;
    if (route.label && !row.labels.includes(route.label)) return false;
    if (route.group && row.group !== Number(route.group)) return false;
    if (!wanted) return true;
    const about = `${row.test} ${row.goal} ${row.bot} ${row.why} ${row.what}`.toLowerCase();
    return about.includes(wanted) || (words?.[place] ?? "").includes(wanted);
  });
  const key = SORTS[route.sort ?? ""] ?? SORTS.outcome;
  const way = route.down ? -1 : 1;
  return found
    .map((row) => ({ row, by: key(row) }))
    .sort((one, other) => way * (one.by < other.by ? -1 : one.by > other.by ? 1 : 0))
    .map((each) => each.row);
}

let searchWanted = false;

/** Go where one can search, and have the keys typed into it. */
export function search(): void {
  const box = document.getElementById("search");
  if (box) box.focus();
  else {
    searchWanted = true;
    go({ view: "dialogues" });
  }
}

export function useWords(index: Index, route: Route): string[] | null {
  const [words, set] = useState<string[] | null>(null);
  const asked = Boolean(route.q);
  useEffect(() => {
    if (asked) loadWords(index.rows).then(set);
  }, [asked, index]);
  return words;
}

export function Dialogues({ index, route, list, searching }: { index: Index; route: Route; list: Row[]; searching: boolean }) {
  const [all, set] = useState(false);
  const [typed, type] = useState(route.q ?? "");
  const sent = useRef(typed);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const waiting = setTimeout(() => {
      if (typed === sent.current) return;
      sent.current = typed;
      change({ q: typed });
    }, 120);
    return () => clearTimeout(waiting);
  }, [typed]);
  useLayoutEffect(() => {
    // What was typed since it was sent stays.
    if ((route.q ?? "") === sent.current) return;
    sent.current = route.q ?? "";
    type(sent.current);
  }, [route.q]);
  useLayoutEffect(() => {
    if (searchWanted) box.current?.focus();
    searchWanted = false;
  }, []);
  const many = useMemo(() => {
    const of = (each: (row: Row) => string[]) => [...new Set(index.rows.flatMap(each))].filter(Boolean).sort();
    return {
      outcome: of((row) => [row.outcome]),
      bot: of((row) => [row.bot]),
      user: of((row) => [row.user]),
      domain: of((row) => row.domains),
      label: of((row) => row.labels),
    };
  }, [index]);
  const shown = all ? list : list.slice(0, SHOWN);
  const priced = index.rows.some((row) => row.dollars !== null);
  const { dialogue: _, turn: __, view: ___, ...rest } = route;
  const filtered = Object.keys(rest).some((name) => !["sort", "down"].includes(name) && rest[name]);
  return (
    <>
      <h1>Dialogues</h1>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="search">
          <span>Search</span>
          <input
            type="search"
            id="search"
            ref={box}
            value={typed}
            placeholder="goal, words, reason ( / )"
            onInput={(event) => type(event.currentTarget.value)}
          />
        </label>
        {Object.entries(many).map(([name, values]) =>
          values.length > 1 || route[name] ? (
            <label key={name}>
              <span>{name}</span>
              <select value={route[name] ?? ""} onChange={(event) => change({ [name]: event.currentTarget.value })}>
                <option value="">any</option>
                {values.map((value) => (
                  <option key={value} value={value}>
                    {name === "outcome" ? (OUTCOMES[value] ?? value) : value}
                  </option>
                ))}
              </select>
            </label>
          ) : null,
        )}
      </form>
      <p class="facts" role="status">
        {plural(list.length, "dialogue")}
        {searching ? ", still reading what was said …" : ""}
        {route.group && index.groups[Number(route.group)] ? ` of the cause “${index.groups[Number(route.group)].shape}”` : ""}{" "}
        {filtered && <a href={link({ view: "dialogues" })}>show all</a>}
      </p>
      <div class="scroll" tabIndex={0}>
        <table class="list" data-export="dialogues">
          <thead>
            <tr>
              <Head name="goal" route={route} />
              <Head name="outcome" route={route} />
              <th scope="col" class="wide">why</th>
              <Head name="turns" route={route} number />
              <Head name="seconds" route={route} number title="time" />
              {priced && <Head name="cost" route={route} number />}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.key}>
                <th scope="row">
                  <a href={link({ ...rest, dialogue: row.key })}>{short(row.key)}</a>
                </th>
                <td><Outcome name={row.outcome} /></td>
                <td class="wide why" title={row.why}>
                  {row.what && <strong>{named(row.what)}: </strong>}
                  {readable(row.why.slice(0, 160))}
                </td>
                <td class="number">{row.turns}</td>
                <td class="number">{seconds(row.seconds)}</td>
                {priced && <td class="number">{row.dollars === null ? "–" : dollars(row.dollars)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {list.length === 0 && <p class="quiet">No dialogue matches.</p>}
      {list.length > shown.length && (
        <p>
          <button type="button" onClick={() => set(true)}>Show {list.length - shown.length} more</button>
        </p>
      )}
    </>
  );
}

function Head({ name, route, number, title }: { name: string; route: Route; number?: boolean; title?: string }) {
  const is = (route.sort ?? "outcome") === name;
  const turn = () => change({ sort: name, down: is && !route.down ? "1" : "" });
  return (
    <th scope="col" class={number ? "number" : ""} aria-sort={is ? (route.down ? "descending" : "ascending") : "none"}>
      <button type="button" class="sort" onClick={turn}>
        {title ?? name}
        <span aria-hidden="true">{is ? (route.down ? " ▴" : " ▾") : ""}</span>
      </button>
    </th>
  );
}
