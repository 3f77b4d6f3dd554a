import { useEffect, useState } from "preact/hooks";
import { Chat } from "./chat";
import { hasCassettes, loadDialogue, type Dialogue, type Index, type Row } from "./data";
import { link, type Route } from "./route";
import { Command, dollars, named, Outcome, plural, readable, seconds, short } from "./text";

export function DialoguePage({ index, route, list }: { index: Index; route: Route; list: Row[] }) {
  const place = index.rows.findIndex((row) => row.key === route.dialogue);
  const [found, set] = useState<{ place: number; dialogue: Dialogue } | null>(null);
  useEffect(() => {
    let here = true;
    if (place >= 0) loadDialogue(place).then((dialogue) => here && set({ place, dialogue }));
    return () => {
      here = false;
    };
  }, [place, index]);
  useEffect(() => {
    if (found?.place !== place) return;
    const to = document.getElementById(`turn-${route.turn}`);
    if (to) to.scrollIntoView({ block: "center" });
    else window.scrollTo(0, 0);
  }, [found, route.turn, place]);
  const row = index.rows[place];
  if (!row) {
    return (
      <>
        <h1>No such dialogue</h1>
        <p>
          This run has no dialogue <code>{route.dialogue}</code>.{" "}
          <a href={link({ view: "dialogues" })}>All dialogues</a>
        </p>
      </>
    );
  }
  const at = list.findIndex((each) => each.key === row.key);
  const [back, next] = [list[at - 1], list[at + 1]];
  const { dialogue: _, turn: __, ...rest } = route;
  const dialogue = found?.place === place ? found.dialogue : null;
  return (
    <>
      <div class="heading">
        <h1>
          {short(row.key)} <Outcome name={row.outcome} />
        </h1>
        <nav class="steps" aria-label="Dialogues">
          {back ? <a rel="prev" href={link({ ...rest, dialogue: back.key })}>‹ previous</a> : <span class="quiet">‹ previous</span>}
          <span class="quiet">{at + 1} of {list.length}</span>
          {next ? <a rel="next" href={link({ ...rest, dialogue: next.key })}>next ›</a> : <span class="quiet">next ›</span>}
        </nav>
      </div>
      <p class="facts">
        {[row.bot, row.user && `with ${row.user}`, plural(row.turns, "turn"), seconds(row.seconds), row.dollars !== null && dollars(row.dollars), row.domains.join(", "), row.labels.join(", ")]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {dialogue && <Body index={index} row={row} dialogue={dialogue} rest={rest} />}
    </>
  );
}

function Body({ index, row, dialogue, rest }: { index: Index; row: Row; dialogue: Dialogue; rest: Route }) {
  const [beside, set] = useState(false);
  const group = row.group === null ? null : index.groups[row.group];
  return (
    <div class={`dialogue ${beside ? "two" : ""}`}>
      <div class="main">
        {dialogue.before && (
          <p>
            <button type="button" aria-pressed={beside} onClick={() => set(!beside)}>
              {beside ? "Hide" : "Show"} the earlier run's dialogue beside it
            </button>
          </p>
        )}
        <div class={beside ? "beside" : ""}>
          {beside && dialogue.before && (
            <div>
              <h2>Before</h2>
              <Chat dialogue={dialogue.before} decisive={dialogue.before.turn} earlier />
              <p class="ended">{ending(dialogue.before)}</p>
            </div>
          )}
          <div>
            {beside && <h2>Now</h2>}
            <Chat dialogue={dialogue} decisive={dialogue.turn} />
            <p class="ended">{ending(dialogue)}</p>
          </div>
        </div>
      </div>
      <aside aria-label="About the dialogue">
        {row.outcome !== "passed" && (
          <section class={`why ${row.outcome === "failed" ? "bad" : "open"}`}>
            <h2>Why</h2>
            <p>
              {row.what && <strong>{named(row.what)}: </strong>}
              {readable(row.why)}
            </p>
            {row.turn && (
              <p>
                <a href={link({ ...rest, dialogue: row.key, turn: String(row.turn) })}>Turn {row.turn} decides it</a>
              </p>
            )}
            {group && group.keys.length > 1 && (
              <p>
                <a href={link({ view: "failures", group: String(row.group) })}>
                  {plural(group.keys.length - 1, "other")} failed of the same
                </a>
              </p>
            )}
          </section>
        )}
        <section>
          <h2>Again</h2>
          <p>Play it:</p>
          <Command text={dialogue.replay} label="the command that plays it again" />
          {hasCassettes && <p><a href={link({ view: "cassettes", q: row.test })}>What was recorded of it</a></p>}
          <p>Pin it as a test of its own:</p>
          <Command text={`${dialogue.pin}\n${pinned(row, dialogue)}`} label="the test" />
        </section>
        <Goal dialogue={dialogue} />
        <Verdicts dialogue={dialogue} />
        {dialogue.raised && (
          <section>
            <h2>The test raised</h2>
            <pre tabIndex={0}>{readable(dialogue.raised)}</pre>
          </section>
        )}
        {dialogue.notes && (
          <section>
            <h2>Notes</h2>
            <ul>{dialogue.notes.map((note, at) => <li key={at}>{readable(note)}</li>)}</ul>
          </section>
        )}
      </aside>
    </div>
  );
}

function ending(dialogue: Dialogue): string {
  const why = named(dialogue.stop_reason ?? "");
  return readable(`Ended: ${why}${dialogue.detail ? ` (${dialogue.detail})` : ""}`);
}

/** A test that fails of what this dialogue failed of. */
function pinned(row: Row, dialogue: Dialogue): string {
  const first = dialogue.findings?.find((each) => each.name === row.what);
  const name = `def test_${slug(row.goal)}`;
  if (first?.kind === "rule") return `${name}(dialogue, judge):\n    assert judge.rules(dialogue)`;
  const verdict = first && ["inform", "success", "booking", "reward"].includes(first.name) ? first.name : "success";
  return `${name}(dialogue):\n    assert dialogue.${verdict}`;
}

const slug = (goal: string): string => goal.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");

/** What the goal wants, beside what the backend held at the end. */
function Goal({ dialogue }: { dialogue: Dialogue }) {
  const domains = dialogue.goal?.domains ?? [];
  const message = dialogue.goal?.message ?? [];
  if (!domains.length && !message.length) return null;
  const wrong = dialogue.metrics?.booking === false;
  return (
    <section>
      <h2>Goal</h2>
      {message.length > 0 && (
        <details open={!domains.length}>
          <summary>in words</summary>
          <ul>{message.map((line, at) => <li key={at}>{readable(line.replace(/<[^>]*>/g, ""))}</li>)}</ul>
        </details>
      )}
      {domains.map((each) => {
        const held = (dialogue.bookings ?? []).filter((booking) => booking.domain === each.domain).map((b) => b.slots ?? {});
        const last = held.at(-1);
        const wants: [string, string][] = [...Object.entries(each.inform ?? {}), ...Object.entries(each.book ?? {})];
        const booked = Object.keys(each.book ?? {});
        return (
          <table class="state" key={each.domain}>
            <thead>
              <tr>
                <th scope="col">{readable(each.domain)}</th>
                <th scope="col">wanted</th>
                {booked.length > 0 && <th scope="col">in the backend</th>}
              </tr>
            </thead>
            <tbody>
              {wants.map(([slot, value], at) => {
                const has = last?.[slot];
                const differs = wrong && booked.includes(slot) && String(has ?? "") !== String(value);
                return (
                  <tr key={at} class={differs ? "differs" : ""}>
                    <th scope="row">{readable(slot)}</th>
                    <td>{readable(String(value))}</td>
                    {booked.length > 0 && <td>{readable(has ?? (booked.includes(slot) ? "–" : ""))}</td>}
                  </tr>
                );
              })}
              {each.request && each.request.length > 0 && (
                <tr>
                  <th scope="row">asks for</th>
                  <td colSpan={2}>{readable(each.request.join(", "))}</td>
                </tr>
              )}
            </tbody>
          </table>
        );
      })}
    </section>
  );
}

function Verdicts({ dialogue }: { dialogue: Dialogue }) {
  const verdicts = Object.entries(dialogue.verdicts ?? {}).filter(([, each]) => each.applicable);
  const whole = (dialogue.scores ?? []).filter((each) => each.turn === null);
  return (
    <section>
      <h2>Verdicts</h2>
      <dl class="verdicts">
        {verdicts.map(([name, each]) => (
          <div key={name}>
            <dt>
              <span class={`sign ${each.passed ? "good" : each.passed === false ? "bad" : "open"}`} aria-hidden="true">
                {each.passed ? "✓" : each.passed === false ? "✗" : "?"}
              </span>
              {named(name)}
              <span class="hidden">{each.passed ? " passed" : each.passed === false ? " failed" : " undecided"}</span>
              {each.basis !== "verified" && <span class="quiet"> {each.basis}</span>}
            </dt>
            <dd>
              {readable(each.reason)}
              {(each.doubt || each.refused) && <em> But {readable(each.doubt || each.refused || "")}</em>}
            </dd>
          </div>
        ))}
        {whole.map((each) => (
          <div key={each.name}>
            <dt>{named(each.name)} {each.value ?? "unscored"}</dt>
            <dd>{readable(each.unscored ?? each.reason)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
