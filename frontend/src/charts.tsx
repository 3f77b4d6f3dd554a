import * as Plot from "@observablehq/plot";
import { useEffect, useRef } from "preact/hooks";
import type { Index } from "./data";
import { saveImage, savePlot } from "./save";
import { named, percent } from "./text";

type Options = Plot.PlotOptions;

/** A plot with its name, the figures as words, and buttons that save it. */
export function Figure(props: { title: string; says?: string; options: (width: number) => Options }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = place.current;
    if (!box) return;
    const draw = () => {
      const width = Math.max(280, Math.min(720, box.clientWidth));
      const made = Plot.plot({
        width,
        marginLeft: 48,
        marginBottom: 48,
        style: { background: "transparent", fontSize: "12px", fontFamily: "inherit" },
        ...props.options(width),
      });
      made.setAttribute("role", "img");
      for (const part of made.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
      made.setAttribute("aria-label", props.title);
      for (const sign of made.querySelectorAll("svg svg, [class*=-swatch] svg")) sign.setAttribute("aria-hidden", "true");
      box.replaceChildren(made);
    };
    draw();
    const watch = new ResizeObserver(draw);
    watch.observe(box);
    return () => watch.disconnect();
  }, [props.options]);
  return (
    <figure class="plot">
      <figcaption>
        <h2>{props.title}</h2>
        <span class="save">
          <button type="button" class="small" onClick={() => place.current && savePlot(place.current, props.title)} aria-label={`Save ${props.title} as SVG`}>SVG</button>
          <button type="button" class="small" onClick={() => place.current && saveImage(place.current, props.title)} aria-label={`Save ${props.title} as PNG`}>PNG</button>
        </span>
      </figcaption>
      {props.says && <p class="quiet">{props.says}</p>}
      <div ref={place} />
    </figure>
  );
}

const good = "var(--good)";
const bad = "var(--bad)";
const accent = "var(--accent)";
const SERIES = ["var(--s1)", "var(--s2)", "var(--s3)", "var(--s4)", "var(--s5)", "var(--s6)"];
const color = (domain: string[]) => ({ domain, range: SERIES, legend: domain.length > 1 });
const quantile = (sorted: number[], share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** The plots of a run, those that have something to show. */
export function drawnOf(index: Index): Drawn[] {
  return [
    resolved(index),
    failedTurn(index),
    heatMap(index),
    distributions(index),
    percentiles(index, "latency", "Time per dialogue", "seconds", (row) => row.seconds),
    percentiles(index, "cost", "Cost per dialogue", "US dollars", (row) => row.dollars ?? 0),
    leaderboard(index),
    matrix(index),
    power(index),
    ...history(index),
  ].filter((each) => each !== null);
}

export function Charts({ index }: { index: Index }) {
  return (
    <>
      <h1>Charts</h1>
      <div class="plots">
        {drawnOf(index).map((each) => (
          <Figure key={each.title} {...each} />
        ))}
      </div>
    </>
  );
}

interface Drawn {
  title: string;
  says?: string;
  options: (width: number) => Options;
}

function resolved(index: Index): Drawn | null {
  const points = Object.entries(index.charts.resolved).flatMap(([name, each]) =>
    [0, ...each.by_turn].map((share, turn) => ({ name: named(name), turn, share })),
  );
  if (!points.length) return null;
  const names = [...new Set(points.map((each) => each.name))];
  return {
    title: "Success by turn",
    says: "The share of dialogues in which the user had what it needed by each turn.",
    options: () => ({
      color: color(names),
      x: { label: "turn", ticks: Math.min(12, points.length) , tickFormat: "d" },
      y: { domain: [0, 100], percent: true, grid: true, label: "% done" },
      marks: [
        Plot.ruleY([0]),
        Plot.lineY(points, { x: "turn", y: "share", stroke: "name", strokeWidth: 2, curve: "step-after" }),
      ],
    }),
  };
}

function failedTurn(index: Index): Drawn | null {
  const rows = index.rows.filter((row) => row.outcome === "failed" && row.turn);
  if (rows.length < 2) return null;
  return {
    title: "Decisive turns",
    says: "In which turn the failed dialogues went wrong.",
    options: () => ({
      x: { label: "turn", tickFormat: "d" },
      y: { grid: true, label: "dialogues" },
      marks: [Plot.barY(rows, Plot.groupX({ y: "count" }, { x: "turn", fill: bad })), Plot.ruleY([0])],
    }),
  };
}

function heatMap(index: Index): Drawn | null {
  const scales = new Map(index.values.map((value) => [value.name, value.scale]));
  const cells = Object.entries(index.charts.by_turn).flatMap(([name, turns]) => {
    const [least, most] = scales.get(name) ?? [1, 5];
    return turns.map(([turn, mean, count]) => ({ name: named(name), turn, mean, count, share: (mean - least) / (most - least) }));
  });
  if (!cells.length) return null;
  const names = [...new Set(cells.map((each) => each.name))];
  const lowest = Math.min(0.75, ...cells.map((each) => each.share));
  return {
    title: "Turn by dimension",
    says: "The mean of each score in each turn; few dialogues reach the late turns.",
    options: (width) => ({
      height: 60 + 34 * names.length,
      marginLeft: width < 500 ? 110 : 160,
      x: { label: "turn", tickFormat: "d", type: "band" },
      y: { label: null, domain: names, tickFormat: (name: string) => (width < 500 ? name.slice(0, 18) : name) },
      color: { type: "linear", domain: [lowest, 1], range: ["var(--heat-low)", "var(--heat-high)"], interpolate: mix as unknown as Plot.Interpolate, legend: false },
      marks: [
        Plot.cell(cells, { x: "turn", y: "name", fill: "share", inset: 1, rx: 3, title: (each) => `${each.name}, turn ${each.turn}: ${each.mean.toFixed(2)} (${each.count})` }),
        width < 500 ? null : Plot.text(cells, { x: "turn", y: "name", text: (each) => each.mean.toFixed(1), fill: "var(--heat-ink)", fontSize: 10 }),
      ],
    }),
  };
}

/** Between two colours of the theme, as the browser mixes them. */
function mix(from: string, to: string) {
  return (share: number) => `color-mix(in oklab, ${to} ${Math.round(100 * share)}%, ${from})`;
}

function distributions(index: Index): Drawn | null {
  const bars = Object.entries(index.charts.distributions).flatMap(([name, counts]) => {
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    return counts.map(([value, count]) => ({ name: named(name), value: Math.round(value * 2) / 2, share: count / total }));
  });
  if (!bars.length) return null;
  const names = [...new Set(bars.map((each) => each.name))];
  return {
    title: "Score distributions",
    says: "How often each number was given, of all turns that have one.",
    options: (width) => ({
      height: 40 + 90 * names.length,
      marginRight: width < 500 ? 96 : 150,
      fy: { label: null, domain: names, tickFormat: (name: string) => name.slice(0, width < 500 ? 16 : 30) },
      x: { label: "score", type: "band", tickFormat: (value: number) => String(value) },
      y: { percent: true, label: "%", ticks: 3, grid: true },
      marks: [Plot.barY(bars, Plot.groupX({ y: "sum" }, { x: "value", y: "share", fy: "name", fill: accent })), Plot.ruleY([0])],
    }),
  };
}

function percentiles(index: Index, id: string, title: string, unit: string, of: (row: Index["rows"][0]) => number): Drawn | null {
  const bots = [...new Set(index.rows.map((row) => row.bot))].slice(0, 6);
  const points = bots.flatMap((bot) => {
    const values = index.rows.filter((row) => row.bot === bot && of(row) > 0).map(of).sort((a, b) => a - b);
    const shares = Array.from({ length: 101 }, (_, at) => at / 100);
    return values.length > 1 ? shares.map((share) => ({ bot: bot || "bot", share, value: quantile(values, share) })) : [];
  });
  if (!points.length) return null;
  const names = [...new Set(points.map((each) => each.bot))];
  return {
    title,
    says: `${id === "latency" ? "Percentiles of the seconds that the bot, and the models that were asked, took" : "Percentiles of what all calls of models cost"}; the lines are at 50 and 90 %.`,
    options: () => ({
      marginLeft: 60,
      color: color(names),
      x: { percent: true, label: "% of dialogues" },
      y: { label: unit, grid: true, zero: true },
      marks: [
        Plot.ruleX([0.5, 0.9], { stroke: "var(--line)", strokeDasharray: "3 3" }),
        Plot.lineY(points, { x: "share", y: "value", stroke: "bot", strokeWidth: 2 }),
      ],
    }),
  };
}

function leaderboard(index: Index): Drawn | null {
  const part = index.parts.find((each) => each.name === "bots");
  const rows = (part?.rows ?? [])
    .filter((row) => row.values.passed)
    .map((row) => ({ name: row.name, mean: row.values.passed[0], low: row.values.passed[1], high: row.values.passed[2] }))
    .sort((one, other) => other.mean - one.mean);
  if (rows.length < 2) return null;
  return {
    title: "Leaderboard",
    says: "The share of dialogues that passed, with its 90 % interval over goals.",
    options: (width) => ({
      height: 50 + 30 * rows.length,
      marginLeft: width < 500 ? 110 : 170,
      x: { domain: [0, 100], percent: true, grid: true, label: "% passed" },
      y: { label: null, domain: rows.map((row) => row.name) },
      marks: [
        Plot.ruleY(rows, { y: "name", x1: "low", x2: "high", stroke: accent, strokeWidth: 6, strokeOpacity: 0.3 }),
        Plot.dot(rows, { y: "name", x: "mean", fill: accent, r: 4, title: (row) => `${row.name}: ${percent(row.mean)} (${percent(row.low)} to ${percent(row.high)})` }),
      ],
    }),
  };
}

function matrix(index: Index): Drawn | null {
  const cells = index.charts.cells;
  if (!cells.length) return null;
  return {
    title: "Bots by users",
    says: "The share of dialogues that passed.",
    options: () => ({
      height: 70 + 40 * new Set(cells.map((each) => each.bot)).size,
      marginLeft: 120,
      x: { label: null, type: "band" },
      y: { label: null, type: "band" },
      color: { type: "linear", domain: [0, 1], range: ["var(--heat-low)", "var(--heat-high)"], interpolate: mix as unknown as Plot.Interpolate },
      marks: [
        Plot.cell(cells, { x: "user", y: "bot", fill: "rate", inset: 1, rx: 3 }),
        Plot.text(cells, { x: "user", y: "bot", text: (each) => percent(each.rate), fill: "var(--heat-ink)" }),
      ],
    }),
  };
}

function power(index: Index): Drawn | null {
  const points = index.charts.power ?? [];
  if (!points.length) return null;
  const lines = points.flatMap((each) =>
    each.rates.flatMap(([rate, passes, fails]) => [
      { gate: each.gate, rate, finding: "passes", share: passes },
      { gate: each.gate, rate, finding: "fails", share: fails },
    ]),
  );
  const gates = points.map((each) => each.gate);
  return {
    title: "What the gate would find",
    says: `How likely a bot of each true rate passes or fails, with ${points[0].goals} goals; else it is undecided.`,
    options: () => ({
      height: 40 + 160 * gates.length,
      marginRight: gates.length > 1 ? 150 : 20,
      color: { domain: ["passes", "fails"], range: [good, bad], legend: true },
      fy: { label: null, axis: gates.length > 1 ? "right" : null, domain: gates },
      x: { percent: true, label: "true rate of the bot, %" },
      y: { percent: true, domain: [0, 100], grid: true, label: "% of runs" },
      marks: [
        Plot.ruleX(points, { x: "bound", fy: "gate", strokeDasharray: "3 3" }),
        Plot.lineY(lines, { x: "rate", y: "share", fy: "gate", stroke: "finding", strokeWidth: 2 }),
      ],
    }),
  };
}

function history(index: Index): Drawn[] {
  return index.history.filter((each) => each.runs.length > 1).map((each) => {
    const runs = each.runs.map(([at, version, value], place) => ({ at: new Date(`${at}Z`), version, value, place }));
    const changes = each.changes.map((change) => ({ ...change, ...runs[change.place] }));
    const names = [each.branch, each.bot].filter(Boolean).join(", ");
    return {
      title: `History: ${named(each.name)} (${names})`,
      says: changes.length
        ? changes.map((c) => `${c.after < c.before ? "fell" : "rose"} from ${c.before.toFixed(3)} to ${c.after.toFixed(3)} with ${c.version}`).join("; ")
        : "No change of level is more than noise.",
      options: () => ({
        x: { label: "run", tickFormat: "d", ticks: Math.min(10, runs.length) },
        y: { grid: true, label: named(each.name), domain: runs.every((run) => run.value <= 1) ? [Math.min(...runs.map((run) => run.value)) * 0.95, 1] : undefined },
        marks: [
          Plot.ruleX(changes, { x: "place", stroke: bad, strokeDasharray: "4 3" }),
          Plot.lineY(runs, { x: "place", y: "value", stroke: accent, strokeWidth: 2 }),
          Plot.dot(runs, { x: "place", y: "value", fill: accent, r: 3, title: (run) => `${run.version}: ${run.value.toFixed(3)}` }),
        ],
      }),
    };
  });
}
