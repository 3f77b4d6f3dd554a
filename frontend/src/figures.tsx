// All plots of a run at once, as files: for the command that writes them (`viewer/plots.py`).
import { useEffect, useRef, useState } from "preact/hooks";
import { drawnOf, Figure } from "./charts";
import { differences } from "./comparison";
import type { Index } from "./data";
import { imageOf, nameOf, standalone, textOf } from "./save";

interface Saved {
  name: string;
  svg: string;
  /** In base64. */
  png: string;
}

export function Figures({ index }: { index: Index }) {
  const box = useRef<HTMLDivElement>(null);
  const [saved, set] = useState<Saved[] | null>(null);
  const plots = [...drawnOf(index), ...(index.comparison ? [differences(index.comparison)] : [])];
  useEffect(() => {
    document.documentElement.dataset.theme = "light";
    document.body.style.background = "white";
    const figures = [...(box.current?.querySelectorAll<HTMLElement>("figure.plot") ?? [])];
    void Promise.all(figures.map(async (figure) => saving(figure))).then((all) => set(all.filter((each) => each !== null)));
  }, []);
  return (
    <>
      <h1>Figures</h1>
      <div ref={box}>{plots.map((each) => <Figure key={each.title} {...each} />)}</div>
      {saved && <pre id="figures">{base64(JSON.stringify(saved))}</pre>}
    </>
  );
}

async function saving(figure: HTMLElement): Promise<Saved | null> {
  const made = standalone(figure);
  if (!made) return null;
  const canvas = await imageOf(made);
  const title = figure.querySelector("h2")?.textContent ?? "";
  return { name: nameOf(title), svg: textOf(made), png: canvas.toDataURL("image/png").split(",")[1] };
}

function base64(text: string): string {
  let letters = "";
  for (const byte of new TextEncoder().encode(text)) letters += String.fromCharCode(byte);
  return btoa(letters);
}
