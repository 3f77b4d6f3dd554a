// The standings of an arena: each bot's strength with its interval, and its games.
import * as Plot from "@observablehq/plot";
import { useState } from "preact/hooks";
import { Figure } from "./charts";
import { Tables } from "./tables";
import { readable } from "./text";

interface Ranked {
  bot: string;
  rating: number;
  interval: [number, number] | null;
}

export interface ArenaData {
  title: string;
  /** The table as the terminal shows it: a row of heads, then the best bot first. */
  table: string[][];
  notes: string[];
  bots: Ranked[];
}

export function Arena({ data }: { data: ArenaData }) {
  const [tables, setTables] = useState(false);
  const [head, ...rows] = data.table;
  return (
    <>
      <header class="top">
        <span class="name"><strong>todeval</strong> <span>arena</span></span>
        <span class="tools">
          <button type="button" class="small" onClick={() => setTables(true)}>tables</button>
        </span>
      </header>
      <main>
        <h1>Which bot is better</h1>
        <p>{readable(data.title)}</p>
        <div class="scroll" tabIndex={0}>
          <table data-export="standings">
            <thead>
              <tr>{head.map((cell, at) => <th key={at} scope="col" class={at ? "number" : ""}>{cell || "bot"}</th>)}</tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row[0]}>
                  <th scope="row">{readable(row[0])}</th>
                  {row.slice(1).map((cell, at) => <td key={at} class="number">{cell}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {data.notes.map((note) => <p key={note} class="finding open">{readable(note)}</p>)}
        <div class="plots"><Figure {...ratings(data.bots)} /></div>
      </main>
      {tables && <Tables close={() => setTables(false)} />}
    </>
  );
}

function ratings(bots: Ranked[]) {
  const rows = bots.map((each) => ({ name: readable(each.bot), rating: each.rating, low: each.interval?.[0], high: each.interval?.[1] }));
  return {
    title: "Ratings",
    says: "Bradley and Terry's rating of each bot with its 95 % interval; the mean of all is 1000.",
    options: (width: number) => ({
      height: 50 + 30 * rows.length,
      marginLeft: width < 500 ? 110 : 170,
      x: { grid: true, label: "rating" },
      y: { label: null, domain: rows.map((row) => row.name) },
      marks: [
        Plot.ruleY(rows.filter((row) => row.low !== undefined), { y: "name", x1: "low", x2: "high", stroke: "var(--accent)", strokeWidth: 6, strokeOpacity: 0.3 }),
        Plot.dot(rows, { y: "name", x: "rating", fill: "var(--accent)", r: 4 }),
      ],
    }),
  };
}
