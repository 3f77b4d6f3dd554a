import { render, type ComponentChild } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { About } from "./about";
import { Arena } from "./arena";
import { Charts } from "./charts";
import { Cassettes, type CassetteList } from "./cassettes";
import { ComparisonPage } from "./comparison";
import { forget, has, hasCassettes, isServed, loadIndex, loadPart, newerIndex, type Index } from "./data";
import { DialoguePage } from "./dialogue";
import { chosen, Dialogues, search, useWords } from "./dialogues";
import { Figures } from "./figures";
import { Failures } from "./groups";
import { Overview } from "./overview";
import { change, go, link, read, useRoute } from "./route";
import { Sheet } from "./sheet";
import { Tables } from "./tables";
import { plural } from "./text";
import "./style.css";

const THEMES = ["auto", "light", "dark"];
/** Milliseconds after which a run that goes on is asked for again. */
const EVERY = 3000;

interface Tab {
  name: string;
  title: string;
}

function App({ index }: { index: Index }) {
  const route = useRoute();
  const words = useWords(index, route);
  const list = useMemo(() => chosen(index, route, words), [index, route, words]);
  const [help, setHelp] = useState(false);
  const [tables, setTables] = useState(false);
  const view = route.dialogue ? "dialogue" : (route.view ?? "overview");
  const failed = index.rows.filter((row) => row.outcome === "failed").length;
  const tabs: Tab[] = [
    { name: "overview", title: "Overview" },
    { name: "failures", title: `Failures${failed ? ` ${failed}` : ""}` },
    { name: "dialogues", title: `Dialogues ${index.rows.length.toLocaleString("en")}` },
    { name: "charts", title: "Charts" },
    ...(index.comparison ? [{ name: "comparison", title: "Comparison" }] : []),
    ...(hasCassettes ? [{ name: "cassettes", title: "Cassettes" }] : []),
    { name: "about", title: "About" },
  ];
  useKeys(list.map((row) => row.key), tabs, index, () => setHelp((is) => !is));
  useEffect(() => {
    if (view !== "dialogue" && !(view === "failures" && route.group)) window.scrollTo(0, 0);
  }, [view]);
  const now = view === "dialogue" ? (route.view ?? "dialogues") : view;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.querySelector("main")?.focus();
      }}>Skip to content</a>
      <header class="top">
        <a class="name" href={link({ view: "overview" })}>
          <strong>todeval</strong> <span>{index.title}</span>
        </a>
        <nav aria-label="Views">
          {tabs.map((tab) => (
            <a key={tab.name} href={link({ view: tab.name })} aria-current={now === tab.name ? "page" : undefined}>
              {tab.title}
            </a>
          ))}
        </nav>
        <span class="tools">
          <Theme />
          <button type="button" class="small" onClick={() => setTables(true)}>tables</button>
          <button type="button" class="small" onClick={() => setHelp(true)} aria-label="Keys">?</button>
        </span>
      </header>
      <main tabIndex={-1}>
        {view === "overview" && <Overview index={index} />}
        {view === "failures" && <Failures index={index} chosen={route.group ?? ""} />}
        {view === "dialogues" && <Dialogues index={index} route={route} list={list} searching={Boolean(route.q) && !words} />}
        {view === "charts" && <Charts index={index} />}
        {view === "comparison" && index.comparison && <ComparisonPage index={index} found={index.comparison} />}
        {view === "cassettes" && hasCassettes && <Cassettes route={route} />}
        {view === "figures" && <Figures index={index} />}
        {view === "about" && <About index={index} />}
        {view === "dialogue" && <DialoguePage index={index} route={route} list={list.some((row) => row.key === route.dialogue) ? list : index.rows} />}
      </main>
      <footer>
        {plural(index.rows.length, "dialogue")} · todeval {String(index.environment.todeval)} · {isServed ? "served on this machine alone" : "everything here stands in this file"}
      </footer>
      {help && <Help close={() => setHelp(false)} />}
      {tables && <Tables close={() => setTables(false)} />}
    </>
  );
}

function CassettesAlone() {
  return (
    <>
      <header class="top">
        <span class="name"><strong>todeval</strong> <span>cassettes</span></span>
        <span class="tools"><Theme /></span>
      </header>
      <main><Cassettes route={useRoute()} /></main>
    </>
  );
}

function Theme() {
  const [theme, set] = useState("auto");
  useEffect(() => {
    if (theme === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return (
    <button type="button" class="small" onClick={() => set(next)} aria-label={`Theme: ${theme}; change to ${next}`}>
      {theme === "auto" ? "◐" : theme === "light" ? "☀" : "☾"}
    </button>
  );
}

const KEYS: [string, string][] = [
  ["1, 2, …", "the views"],
  ["/", "search"],
  ["j, k", "next and previous dialogue, of those that are filtered"],
  ["n, p", "next and previous cause"],
  ["t", "the decisive turn"],
  ["Esc", "back to the list"],
  ["?", "these keys"],
];

function Help({ close }: { close: () => void }) {
  return (
    <dialog open class="box" aria-label="Keys">
      <div class="heading">
        <h2>Keys</h2>
        <button type="button" onClick={close} aria-label="Close">✕</button>
      </div>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}

/** From the first painting on: whoever sees the page may press a key. */
function useKeys(keys: string[], tabs: Tab[], index: Index, help: () => void): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) {
        if (event.key === "Escape") at.blur();
        return;
      }
      const { dialogue, turn: _, ...rest } = read();
      const place = keys.indexOf(dialogue ?? "");
      const step = (by: number) => {
        const to = keys[dialogue ? place + by : 0];
        if (to) go({ ...rest, dialogue: to });
      };
      const cause = (by: number) => {
        const to = Number(read().group ?? -1) + by;
        if (to >= 0 && to < index.groups.length) go({ view: "failures", group: String(to) });
      };
      const actions: Record<string, () => void> = {
        j: () => step(1),
        k: () => step(-1),
        n: () => cause(1),
        p: () => cause(-1),
        t: () => {
          const row = index.rows.find((each) => each.key === dialogue);
          if (row?.turn) change({ turn: String(row.turn) });
        },
        "/": search,
        "?": help,
        Escape: () => dialogue && go({ ...rest, view: rest.view ?? "dialogues" }),
      };
      const tab = tabs[Number(event.key) - 1];
      if (tab) go({ view: tab.name });
      else if (actions[event.key]) actions[event.key]();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [keys, index]);
}

function Failed({ error }: { error: unknown }) {
  return (
    <main>
      <h1>This report cannot be shown</h1>
      <p>{String(error)}</p>
      <p>It needs a browser of 2023 or later, and the whole file.</p>
    </main>
  );
}

async function start(): Promise<void> {
  const root = document.getElementById("app");
  if (!root) return;
  try {
    if (hasCassettes && !(await loadPart<CassetteList>("cassettes")).runs) return show(root, <CassettesAlone />);
    if (has("sheet")) return show(root, <Sheet data={await loadPart("sheet")} />);
    if (has("arena")) return show(root, <Arena data={await loadPart("arena")} />);
    const index = await loadIndex();
    show(root, <App index={index} />);
    if (isServed && index.live) setTimeout(() => void again(root, index), EVERY);
  } catch (error) {
    show(root, <Failed error={error} />);
  }
}

function show(root: HTMLElement, page: ComponentChild): void {
  root.replaceChildren();
  render(page, root);
}

/** Show what has come since: the address stays, and so does what is shown of it. */
async function again(root: HTMLElement, last: Index): Promise<void> {
  let now = last;
  try {
    const newer = await newerIndex(last);
    if (newer) {
      forget();
      render(<App index={newer} />, root);
      now = newer;
    }
  } catch {
    // the server has ended: what is there stays
  }
  if (now.live) setTimeout(() => void again(root, now), EVERY);
}

void start();
