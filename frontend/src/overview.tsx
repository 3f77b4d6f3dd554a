import type { Index, Part, Row, Value } from "./data";
import { useState } from "preact/hooks";
import { Excerpt } from "./groups";
import { link } from "./route";
import { dollars, Level, named, OUTCOMES, percent, plural, seconds, short, tone } from "./text";

const TITLES: Record<string, string> = {
  passed: "passed",
  failed: "failed",
  undecided: "undecided",
  open: "open",
  unreliable: "unreliable",
};

export function Overview({ index }: { index: Index }) {
  const { verdict, groups } = index;
  const passed = index.outcomes.find((each) => each.name === "passed")?.count ?? 0;
  const own = groups.filter((each) => each.outcome === "failed");
  const shown = groups.slice(0, 5);
  return (
    <>
      <section class={`verdict ${verdict.finding === "passed" ? "good" : verdict.finding === "failed" ? "bad" : "open"}`}>
        <h1>
          {index.live ? "Running: " : ""}
          {TITLES[verdict.finding] ?? verdict.finding}
        </h1>
        <p>{verdict.words.replace(/^(passed|failed|undecided|unreliable): /, "")}</p>
        <OutcomeBar index={index} />
        {verdict.gates.length > 0 && (
          <div class="scroll" tabIndex={0}>
            <table class="plain">
              <thead>
                <tr>
                  <th scope="col">gate</th>
                  <th scope="col" class="number">value</th>
                  <th scope="col">90 %</th>
                  <th scope="col">finding</th>
                </tr>
              </thead>
              <tbody>
                {verdict.gates.map((cells) => (
                  <tr key={cells[0]}>
                    <td><code>{cells[0]}</code></td>
                    <td class="number">{cells[1]}</td>
                    <td>{cells[2]}</td>
                    <td>{cells[3]}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {index.comparison && (
          <p>
            Beside {index.comparison.before}:{" "}
            <a href={link({ view: "comparison" })}>
              {plural(index.comparison.broke.length, "goal")} broke,{" "}
              {index.comparison.mended.length} mended
            </a>
          </p>
        )}
      </section>
      <div class="columns">
        <section>
          <h2>What failed</h2>
          {groups.length === 0 && <p class="quiet">Nothing: {plural(passed, "dialogue")} passed.</p>}
          {own.length === 0 && groups.length > 0 && (
            <p class="quiet">Nothing counts against the bot; others spoiled these:</p>
          )}
          <ol class="causes">
            {shown.map((group, place) => (
              <li key={place} class={tone(group.outcome)}>
                <a href={link({ view: "failures", group: String(place) })}>
                  <span class="count">{group.keys.length}</span>
                  <span>
                    <strong>{group.names.map(named).join(", ") || OUTCOMES[group.outcome]}</strong>
                    <span class="shape">{group.shape}</span>
                  </span>
                </a>
              </li>
            ))}
          </ol>
          {groups.length > shown.length && (
            <p>
              <a href={link({ view: "failures" })}>All {groups.length} causes</a>
            </p>
          )}
          {own.length > 0 && <Excerpt index={index} rowKey={own[0].keys[0]} />}
        </section>
        <section>
          <h2>Values</h2>
          <Values values={index.values} />
          <Extremes index={index} />
        </section>
      </div>
      {index.parts.map((part) => (
        <PartTable key={part.name} part={part} values={index.values} />
      ))}
    </>
  );
}

function OutcomeBar({ index }: { index: Index }) {
  const total = index.rows.length || 1;
  return (
    <>
      <div class="bar" aria-hidden="true">
        {index.outcomes.map((each) => (
          <span key={each.name} class={tone(each.name)} style={{ width: `${(100 * each.count) / total}%` }} />
        ))}
      </div>
      <ul class="legend">
        {index.outcomes.map((each) => (
          <li key={each.name}>
            <a href={link({ view: "dialogues", outcome: each.name })}>
              <span class={`swatch ${tone(each.name)}`} aria-hidden="true" />
              {each.count.toLocaleString("en")} {OUTCOMES[each.name] ?? each.name}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

export const told = (value: Value, number: number): string =>
  value.score ? number.toFixed(2) : percent(number);

function Values({ values }: { values: Value[] }) {
  return (
    <table class="values" data-export="values">
      <thead>
        <tr>
          <th scope="col">value</th>
          <th scope="col" class="number">mean</th>
          <th scope="col" class="wide">90 % interval</th>
          <th scope="col" class="number">goals</th>
        </tr>
      </thead>
      <tbody>
        {values.map((value) => (
          <tr key={value.name}>
            <th scope="row">{named(value.name)}</th>
            <td class="number">{told(value, value.mean)}</td>
            <td class="wide">
              <Level {...value} />
              <span class="ends">
                {told(value, value.low)} to {told(value, value.high)}
              </span>
            </td>
            <td class="number">{value.goals}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Extremes({ index }: { index: Index }) {
  const most = (key: (row: Row) => number | null) =>
    index.rows
      .filter((row) => (key(row) ?? 0) > 0)
      .sort((one, other) => (key(other) ?? 0) - (key(one) ?? 0))
      .slice(0, 3);
  const lists: [string, Row[], (row: Row) => string][] = [
    ["Slowest", most((row) => row.seconds), (row) => seconds(row.seconds)],
    ["Dearest", most((row) => row.dollars), (row) => dollars(row.dollars ?? 0)],
    ["Longest", most((row) => row.turns), (row) => plural(row.turns, "turn")],
  ];
  const lanes = Object.entries(index.spent).filter(([, each]) => each.dollars !== null);
  return (
    <>
      <div class="extremes">
        {lists.map(([title, rows, say]) =>
          rows.length ? (
            <div key={title}>
              <h3>{title}</h3>
              <ol>
                {rows.map((row) => (
                  <li key={row.key}>
                    <a href={link({ dialogue: row.key })}>{short(row.key)}</a> {say(row)}
                  </li>
                ))}
              </ol>
            </div>
          ) : null,
        )}
        {index.flips && index.flips.trials.length > 0 && (
          <div>
            <h3>Flakiest</h3>
            <ol>
              {[...index.flips.trials]
                .sort((a, b) => Math.abs(a[1] / a[2] - 0.5) - Math.abs(b[1] / b[2] - 0.5))
                .slice(0, 3)
                .map(([name, ok, of]) => (
                  <li key={name}>
                    <a href={link({ view: "dialogues", q: short(name) })}>{short(name)}</a> {ok} of {of} passed
                  </li>
                ))}
            </ol>
          </div>
        )}
      </div>
      <h3>Cost per dialogue</h3>
      {lanes.length ? (
        <ul class="inline">
          {lanes.map(([lane, each]) => (
            <li key={lane}>
              {lane === "system" ? "bot" : lane}: {dollars(each.dollars ?? 0)} (
              {Math.round(each.prompt_tokens ?? 0).toLocaleString("en")} +{" "}
              {Math.round(each.completion_tokens ?? 0).toLocaleString("en")} tokens)
            </li>
          ))}
        </ul>
      ) : (
        <p class="quiet">
          {Object.keys(index.spent).length
            ? "No prices are known: set todeval_prices."
            : "Nothing: no model was asked."}
        </p>
      )}
    </>
  );
}

const FILTERS: Record<string, string> = { bots: "bot", users: "user", domains: "domain", labels: "label" };

const SHOWN = 8;

function PartTable({ part, values }: { part: Part; values: Value[] }) {
  const [all, set] = useState(false);
  const shown = values.filter(
    (value) => part.rows.filter((row) => row.values[value.name]).length > 0,
  ).slice(0, 7);
  const filter = FILTERS[part.name];
  return (
    <section>
      <h2>{part.title[0].toUpperCase() + part.title.slice(1)}</h2>
      <div class="scroll" tabIndex={0}>
        <table data-export={part.title}>
          <thead>
            <tr>
              <th scope="col">{part.title.replace(/^by /, "")}</th>
              <th scope="col" class="number">dialogues</th>
              <th scope="col" class="number">failed</th>
              {shown.map((value) => (
                <th scope="col" class="number" key={value.name}>{named(value.name)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {part.rows.slice(0, all ? undefined : SHOWN).map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  {filter ? <a href={link({ view: "dialogues", [filter]: row.name })}>{row.name}</a> : row.name}
                </th>
                <td class="number">{row.dialogues}</td>
                <td class="number">{row.failed || "–"}</td>
                {shown.map((value) => {
                  const found = row.values[value.name];
                  return (
                    <td class="number" key={value.name}>
                      {found ? (
                        <span title={`${told(value, found[1])} to ${told(value, found[2])}`}>
                          {told(value, found[0])}
                          <Level mean={found[0]} low={found[1]} high={found[2]} scale={value.scale} />
                        </span>
                      ) : (
                        "–"
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!all && part.rows.length > SHOWN && (
        <p>
          <button type="button" class="small" onClick={() => set(true)}>and {part.rows.length - SHOWN} more</button>
        </p>
      )}
    </section>
  );
}
