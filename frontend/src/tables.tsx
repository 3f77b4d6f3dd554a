// Each table can be taken along as Markdown or LaTeX.
import { useEffect, useState } from "preact/hooks";

function rowsOf(table: HTMLTableElement): string[][] {
  return [...table.rows].map((row) => [...row.cells].map((cell) => (cell.textContent ?? "").trim().replace(/\s+/g, " ")));
}

export function markdown(rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replace(/([|\\])/g, "\\$1")).join(" | ")} |`;
  return [line(rows[0]), `|${" --- |".repeat(rows[0].length)}`, ...rows.slice(1).map(line)].join("\n");
}

const LATEX: Record<string, string> = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "–": "--", "−": "$-$" };

export function latex(rows: string[][]): string {
  const escaped = (cell: string) => cell.replace(/[\\~^–−]|[&%$#_{}]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
  const line = (cells: string[]) => `${cells.map(escaped).join(" & ")} \\\\`;
  const columns = `l${"r".repeat(rows[0].length - 1)}`;
  return [`\\begin{tabular}{${columns}}`, "\\toprule", line(rows[0]), "\\midrule", ...rows.slice(1).map(line), "\\bottomrule", "\\end{tabular}"].join("\n");
}

/** A box to take one of the page's tables from. */
export function Tables({ close }: { close: () => void }) {
  const [found, set] = useState<HTMLTableElement[]>([]);
  const [form, setForm] = useState<"markdown" | "latex">("markdown");
  useEffect(() => set([...document.querySelectorAll<HTMLTableElement>("table[data-export]")]), []);
  const write = form === "markdown" ? markdown : latex;
  return (
    <dialog open class="box" aria-label="Tables as text">
      <div class="heading">
        <h2>Tables of this view</h2>
        <button type="button" onClick={close} aria-label="Close">✕</button>
      </div>
      <p>
        {(["markdown", "latex"] as const).map((each) => (
          <button key={each} type="button" aria-pressed={form === each} onClick={() => setForm(each)}>
            {each === "latex" ? "LaTeX" : "Markdown"}
          </button>
        ))}
      </p>
      {found.length === 0 && <p class="quiet">This view has no table.</p>}
      {found.map((table, place) => (
        <label key={place}>
          <span>{table.dataset.export}</span>
          <textarea readOnly rows={8} value={write(rowsOf(table))} onFocus={(event) => event.currentTarget.select()} />
        </label>
      ))}
    </dialog>
  );
}
