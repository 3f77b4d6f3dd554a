// Recorded calls, and how they differ from others: what is proposed for them, or an earlier recording.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadPart } from "./data";
import { change, link, type Route } from "./route";
import { plural, readable, Words } from "./text";

interface Recorded {
  name: string;
  test?: string;
  recorded?: string;
  models?: string[];
  calls: number;
  /** `new`, `gone`, `changed`, `proposed`, `same`, `broken`, or nothing if nothing is compared. */
  change: string;
  why?: string;
}

interface ToldCall {
  number: number;
  title: string;
  known: number;
  said: [string, string][];
  came: [string, string][];
}

interface CassetteContent {
  calls: ToldCall[];
  differences: string[];
}

export interface CassetteList {
  /** How many runs are served beside them. */
  runs: number;
  rows: Recorded[];
}

const TONES: Record<string, string> = { changed: "open", proposed: "open", broken: "bad", gone: "bad", new: "good" };
const FIRST = ["broken", "changed", "proposed", "new", "gone"];
const rank = (row: Recorded) => (FIRST.indexOf(row.change) + FIRST.length + 1) % (FIRST.length + 1);
const LISTED = 300;

export function Cassettes({ route }: { route: Route }) {
  const [list, set] = useState<CassetteList | null>(null);
  const [wrong, setWrong] = useState("");
  const [all, showAll] = useState(false);
  useEffect(() => {
    loadPart<CassetteList>("cassettes").then(set, (error) => setWrong(String(error)));
  }, []);
  if (wrong) return <><h1>Cassettes</h1><p class="finding bad">{readable(wrong)}</p></>;
  if (!list) return <><h1>Cassettes</h1><p class="quiet">reading them …</p></>;
  const place = list.rows.findIndex((row) => row.name === route.cassette);
  if (place >= 0) return <One row={list.rows[place]} place={place} route={route} />;
  const wanted = (route.q ?? "").toLowerCase();
  const found = list.rows
    .filter((row) => `${row.name} ${row.test ?? ""}`.toLowerCase().includes(wanted))
    .sort((one, other) => rank(one) - rank(other));
  const shown = all ? found : found.slice(0, LISTED);
  const compared = list.rows.some((row) => row.change);
  return (
    <>
      <h1>Cassettes</h1>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="search">
          <span>Search</span>
          <input type="search" id="search" value={route.q ?? ""} placeholder="test, file" onInput={(event) => change({ q: event.currentTarget.value })} />
        </label>
      </form>
      <p class="facts" role="status">
        {plural(found.length, "cassette")}
        {compared && `, ${found.filter((row) => FIRST.includes(row.change)).length} with differences`}
      </p>
      <div class="scroll" tabIndex={0}>
        <table data-export="cassettes">
          <thead>
            <tr>
              <th scope="col">test</th>
              {compared && <th scope="col">difference</th>}
              <th scope="col" class="number">calls</th>
              <th scope="col">models</th>
              <th scope="col">recorded</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  {row.change === "broken" ? readable(row.name) : <a href={link({ view: "cassettes", cassette: row.name })}>{readable(row.test || row.name)}</a>}
                  {row.why && <p class="finding bad">{readable(row.why)}</p>}
                </th>
                {compared && <td><Change name={row.change} /></td>}
                <td class="number">{row.calls}</td>
                <td>{readable((row.models ?? []).join(", "))}</td>
                <td>{readable((row.recorded ?? "").slice(0, 10))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > shown.length && <p><button type="button" onClick={() => showAll(true)}>Show {found.length - shown.length} more</button></p>}
    </>
  );
}

function Change({ name }: { name: string }) {
  if (!name || name === "same") return <span class="quiet">{name && "none"}</span>;
  return <span class={`pill ${TONES[name]}`}>{name}</span>;
}

function One({ row, place, route }: { row: Recorded; place: number; route: Route }) {
  const [found, set] = useState<CassetteContent | null>(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    set(null);
    loadPart<CassetteContent>(`cassette-${place}`).then(set, (error) => setWrong(String(error)));
  }, [place]);
  const { cassette: _, ...rest } = route;
  return (
    <>
      <p><a href={link({ ...rest, view: "cassettes" })}>All cassettes</a></p>
      <h1>{readable(row.test || row.name)} <Change name={row.change} /></h1>
      <p class="facts">{readable([row.name, row.recorded, ...(row.models ?? [])].filter(Boolean).join(" · "))}</p>
      {wrong && <p class="finding bad">{readable(wrong)}</p>}
      {found && found.differences.length > 0 && (
        <section>
          <h2>{row.change === "proposed" ? "What is proposed" : "What has changed"}</h2>
          <div class="differences">
            {found.differences.map((line, at) => <Difference key={at} line={line} />)}
          </div>
        </section>
      )}
      {found && (
        <section>
          <h2>{plural(found.calls.length, "call")}</h2>
          {found.calls.map((call) => <CallBox key={call.number} call={call} />)}
        </section>
      )}
    </>
  );
}

function Difference({ line }: { line: string }) {
  if (/^[-+~] call /.test(line)) return <h3 class={line[0] === "-" ? "gone" : ""}>{readable(line)}</h3>;
  return <p class="told">{worded(line.trim())}</p>;
}

/** `[-old-]` and `{+new+}`, as marks that screen readers know, too. */
export function worded(line: string): ComponentChildren {
  return line.split(/(\[-[\s\S]*?-\]|\{\+[\s\S]*?\+\})/).map((part, at) => {
    if (part.startsWith("[-")) return <del key={at}>{readable(part.slice(2, -2))}</del>;
    if (part.startsWith("{+")) return <ins key={at}>{readable(part.slice(2, -2))}</ins>;
    return readable(part);
  });
}

function CallBox({ call }: { call: ToldCall }) {
  return (
    <details class="recorded" open={call.number === 1}>
      <summary>{call.number} <code>{readable(call.title)}</code></summary>
      {call.known > 0 && <p class="quiet">{plural(call.known, "message")} as before</p>}
      {call.said.map(([who, text], at) => <Said key={at} who={who} text={text} />)}
      {call.came.map(([who, text], at) => <Said key={at} who={`answer, ${who}`} text={text} />)}
    </details>
  );
}

function Said({ who, text }: { who: string; text: string }) {
  return (
    <div class="told">
      <strong>{readable(who)}</strong>
      <p dir="auto"><Words text={text} /></p>
    </div>
  );
}
