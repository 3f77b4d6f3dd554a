import * as Plot from "@observablehq/plot";
import { Figure } from "./charts";
import type { Change, Comparison, Flip, Index } from "./data";
import { link } from "./route";
import { named, Outcome, plural, short } from "./text";

const signed = (value: number): string => `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(3)}`;
const chance = (value: number): string => (value < 0.001 ? "p < 0.001" : `p = ${value.toFixed(3)}`);

function told(change: Change): string {
  if (change.finding === "no worse") return `no worse by ${change.margin.toPrecision(2)}`;
  if (change.finding !== "undecided") return change.finding;
  return change.high < -change.margin
    ? "undecided: looks worse, but chance alone may do as much"
    : `undecided: a loss of ${change.detectable.toFixed(2)} would show`;
}

export function ComparisonPage({ index, found }: { index: Index; found: Comparison }) {
  const worse = found.changes.filter((each) => each.finding === "worse").map((each) => named(each.name));
  return (
    <>
      <h1>Beside {found.before}</h1>
      <section class={`verdict ${worse.length ? "bad" : "good"}`}>
        <p class="lead">
          {worse.length ? `Worse, and more than chance: ${worse.join(", ")}.` : "Nothing is shown to be worse."}
        </p>
        <p>
          Of {plural(found.goals, "goal")} in both runs, {found.broke.length} broke and {found.mended.length} were mended.
        </p>
      </section>
      {found.differing.map((each) => <p key={each} class="finding open">differs: {each}</p>)}
      <div class="columns">
        <Flips title="Broke" index={index} flips={found.broke} />
        <Flips title="Mended" index={index} flips={found.mended} />
      </div>
      <section>
        <h2>Values</h2>
        <div class="scroll" tabIndex={0}>
          <table data-export="comparison">
            <thead>
              <tr>
                <th scope="col">value</th>
                <th scope="col" class="number">before</th>
                <th scope="col" class="number">now</th>
                <th scope="col" class="number">change</th>
                <th scope="col">90 %</th>
                <th scope="col">by chance</th>
                <th scope="col">finding</th>
              </tr>
            </thead>
            <tbody>
              {found.changes.map((each) => (
                <tr key={each.name} class={each.finding === "worse" ? "bad" : ""}>
                  <th scope="row">{named(each.name)}</th>
                  <td class="number">{each.before.toFixed(3)}</td>
                  <td class="number">{each.now.toFixed(3)}</td>
                  <td class="number">{signed(each.mean)}</td>
                  <td>{signed(each.low)} to {signed(each.high)}</td>
                  <td>{chance(each.chance)}</td>
                  <td>{told(each)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <Figure {...differences(found)} />
      {(Object.keys(found.left_out).length > 0 || found.only_before + found.only_now > 0) && (
        <section>
          <h2>Not compared</h2>
          <ul>
            {Object.entries(found.left_out).map(([name, [before, now]]) => (
              <li key={name}>{named(name)}: {before} before, {now} now</li>
            ))}
            {found.only_before + found.only_now > 0 && (
              <li>goals in one run only: {found.only_before} before, {found.only_now} now</li>
            )}
          </ul>
        </section>
      )}
    </>
  );
}

export function differences(found: Comparison) {
  const rows = found.changes.map((each) => ({
    name: named(each.name),
    mean: each.mean / (each.margin / 0.05 || 1),
    low: each.low / (each.margin / 0.05 || 1),
    high: each.high / (each.margin / 0.05 || 1),
    worse: each.finding === "worse",
  }));
  return {
    title: "Paired differences",
    says: "Change of each value as a share of its scale, goal by goal, with the 90 % interval. Left of 0 is worse.",
    options: (width: number) => ({
      height: 50 + 26 * rows.length,
      marginLeft: width < 500 ? 130 : 250,
      x: { percent: true, grid: true, label: "change, points" },
      y: { label: null, domain: rows.map((row) => row.name) },
      marks: [
        Plot.ruleX([0], { stroke: "var(--ink)" }),
        Plot.ruleY(rows, { y: "name", x1: "low", x2: "high", stroke: (row) => (row.worse ? "var(--bad)" : "var(--accent)"), strokeWidth: 5, strokeOpacity: 0.35 }),
        Plot.dot(rows, { y: "name", x: "mean", fill: (row) => (row.worse ? "var(--bad)" : "var(--accent)"), r: 4 }),
      ],
    }),
  };
}

function Flips({ title, index, flips }: { title: string; index: Index; flips: Flip[] }) {
  const rows = new Map(index.rows.map((row) => [row.key, row]));
  return (
    <section>
      <h2>{title} ({flips.length})</h2>
      {flips.length === 0 && <p class="quiet">None.</p>}
      <ul class="flips">
        {flips.slice(0, 200).map((flip) => {
          const shown = flip.keys.map((key) => rows.get(key)).filter((row) => row !== undefined);
          const row = shown.find((each) => (each.outcome === "failed") === (title === "Broke")) ?? shown[0];
          const several = flip.before[1] > 1 || flip.now[1] > 1;
          return (
            <li key={flip.goal}>
              {row ? <a href={link({ dialogue: row.key, view: "comparison" })}>{short(flip.goal)}</a> : short(flip.goal)}{" "}
              {several && <span class="quiet">{flip.before.join("/")} → {flip.now.join("/")}</span>}
              {row && row.outcome !== "passed" && <><Outcome name={row.outcome} /> <span class="why">{row.why}</span></>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
