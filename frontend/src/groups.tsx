import { useEffect, useState } from "preact/hooks";
import { Bubble } from "./chat";
import { loadDialogue, type Dialogue, type Group, type Index } from "./data";
import { link } from "./route";
import { named, OUTCOMES, plural, short, tone } from "./text";

const LISTED = 24;

export function Failures({ index, chosen }: { index: Index; chosen: string }) {
  useEffect(() => {
    if (chosen) document.getElementById(`group-${chosen}`)?.scrollIntoView();
  }, [chosen]);
  const failed = index.groups.filter((group) => group.outcome === "failed");
  const others = index.groups.filter((group) => group.outcome !== "failed");
  return (
    <>
      <h1>Failures by cause</h1>
      {failed.length === 0 && <p class="quiet">No dialogue counts against the bot.</p>}
      {failed.map((group) => (
        <Card key={index.groups.indexOf(group)} index={index} group={group} place={index.groups.indexOf(group)} />
      ))}
      {others.length > 0 && (
        <>
          <h2>Not the bot's</h2>
          <p class="quiet">These count neither for nor against the bot.</p>
          {others.map((group) => (
            <Card key={index.groups.indexOf(group)} index={index} group={group} place={index.groups.indexOf(group)} />
          ))}
        </>
      )}
    </>
  );
}

function Card({ index, group, place }: { index: Index; group: Group; place: number }) {
  const [all, set] = useState(false);
  const shown = all ? group.keys : group.keys.slice(0, LISTED);
  return (
    <article class={`card ${tone(group.outcome)}`} id={`group-${place}`}>
      <header>
        <span class="count">{group.keys.length}</span>
        <div>
          <h3>
            {group.names.map(named).join(", ") || OUTCOMES[group.outcome]}
            {group.owner && group.outcome !== "failed" && <span class="pill open">{group.owner}</span>}
          </h3>
          <p class="shape">{group.shape}</p>
          <p class="facts">
            {[group.calls && `${group.calls} in the decisive turn`, group.domains.length && `goals with ${group.domains.join(", ")}`, group.bots.join(", ")]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
      </header>
      <Excerpt index={index} rowKey={group.keys[0]} />
      <p class="chips">
        {shown.map((key) => (
          <a key={key} href={link({ dialogue: key, group: String(place) })}>{short(key)}</a>
        ))}
        {group.keys.length > shown.length && (
          <button type="button" class="small" onClick={() => set(true)}>
            and {group.keys.length - shown.length} more
          </button>
        )}
      </p>
    </article>
  );
}

/** The decisive turn of one dialogue. */
export function Excerpt({ index, rowKey }: { index: Index; rowKey: string }) {
  const [found, set] = useState<Dialogue | null>(null);
  const place = index.rows.findIndex((row) => row.key === rowKey);
  useEffect(() => {
    let here = true;
    loadDialogue(place).then((dialogue) => here && set(dialogue));
    return () => {
      here = false;
    };
  }, [place]);
  const row = index.rows[place];
  if (!row) return null;
  const turn = found?.turns?.[(row.turn ?? 1) - 1];
  return (
    <figure class="excerpt">
      {turn && (
        <>
          <Bubble who="user" text={turn.user ?? ""} />
          <Bubble who="bot" text={turn.system ?? ""} marked={[row.why]} />
          <p class="finding bad">{row.why}</p>
        </>
      )}
      <figcaption>
        <a href={link({ dialogue: row.key, turn: String(row.turn ?? "") })}>
          {short(row.key)}
          {row.turn ? `, turn ${row.turn} of ${row.turns}` : `, ${plural(row.turns, "turn")}`}
        </a>
      </figcaption>
    </figure>
  );
}
