import type { Booking, Dialogue, RuleResult, Score, ToolCall, Turn } from "./data";
import { named, readable, seconds, Words } from "./text";

export function Bubble(props: { who: "user" | "bot"; text: string; marked?: string[] }) {
  return (
    <div class={`bubble ${props.who}`}>
      <span class="who">{props.who}</span>
      <p dir="auto">{props.text ? <Words text={props.text} marked={props.marked} /> : <em>nothing</em>}</p>
    </div>
  );
}

function plain(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, null, 1) ?? "";
}

function brief(value: unknown): string {
  if (value && typeof value === "object" && !Array.isArray(value)) {
    const lists = Object.values(value).filter(Array.isArray);
    if (lists.length === 1) return brief(lists[0]);
  }
  if (Array.isArray(value)) return value.length === 1 ? "1 result" : `${value.length} results`;
  const text = plain(value).replace(/\s+/g, " ");
  return text.length > 90 ? `${text.slice(0, 90)} …` : text;
}

function Call({ call, by }: { call: ToolCall; by?: string }) {
  const given = call.arguments && typeof call.arguments === "object" ? Object.entries(call.arguments) : [];
  const shown = given.map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return (
    <details class={`call ${call.error ? "refused" : ""}`}>
      <summary>
        {by && <span class="by">{by} </span>}
        <code>
          {readable(call.name)}({readable(shown.join(", ")).slice(0, 160)})
        </code>{" "}
        <span class="result">{readable(call.error ? `refused: ${call.error}` : `→ ${brief(call.result)}`)}</span>
      </summary>
      <pre tabIndex={0}><Words text={plain(call.arguments)} /></pre>
      <pre tabIndex={0}><Words text={call.error || plain(call.result)} /></pre>
    </details>
  );
}

function Booked({ made, gone }: { made: Booking; gone?: boolean }) {
  const slots = Object.entries(made.slots ?? {}).map(([slot, value]) => `${slot}: ${value}`);
  return (
    <p class={`booked ${gone ? "gone" : ""}`}>
      <strong>
        backend {gone ? "no longer holds" : "booked"} {readable(made.domain)}
      </strong>{" "}
      {readable(made.reference)} · {readable(slots.join(", "))}
    </p>
  );
}

function State({ state }: { state: unknown }) {
  const domains = state && typeof state === "object" ? Object.entries(state) : [];
  return (
    <table class="state">
      <tbody>
        {domains.flatMap(([domain, slots]) => {
          const pairs = slots && typeof slots === "object" ? Object.entries(slots) : [["", slots]];
          return pairs.map(([slot, value]) => (
            <tr key={`${domain} ${slot}`}>
              <th scope="row">{readable(`${domain} ${slot}`)}</th>
              <td>{readable(plain(value))}</td>
            </tr>
          ));
        })}
      </tbody>
    </table>
  );
}

function Understood({ turn }: { turn: Turn }) {
  const doubts = (turn.heard ?? []).filter((each) => each.doubt).length;
  return (
    <details class="aside">
      <summary>
        understood{doubts ? `, ${doubts} in doubt` : ""}
        {turn.state ? ", belief state" : ""}
        {turn.latency_s ? ` · ${seconds(turn.latency_s)}` : ""}
      </summary>
      {turn.heard && (
        <ul class="acts">
          {turn.heard.map((each, place) => (
            <li key={place} class={each.doubt ? "doubt" : ""}>
              <code>{readable(each.claim)}</code>
              {each.doubt && <span> in doubt: {readable(each.doubt)}</span>}
            </li>
          ))}
        </ul>
      )}
      {turn.heard_by && <p class="quiet">heard by {turn.heard_by}</p>}
      {turn.state ? <State state={turn.state} /> : null}
      {turn.turn_state ? <State state={turn.turn_state} /> : null}
      {turn.retrieved && <pre tabIndex={0}><Words text={plain(turn.retrieved)} /></pre>}
      {turn.spans && (
        <ul class="acts">
          {turn.spans.map((span, place) => (
            <li key={place}>
              {readable(span.name)} {seconds(span.seconds)}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

export function Chat({ dialogue, decisive, earlier }: { dialogue: Dialogue; decisive?: number; earlier?: boolean }) {
  const turns = dialogue.turns ?? [];
  const of = <T extends { turn?: number | null }>(found: T[] | undefined, turn: number) =>
    (found ?? []).filter((each) => each.turn === turn);
  return (
    <ol class="chat">
      {turns.map((turn, place) => {
        const number = place + 1;
        const rules = of(dialogue.rules, number);
        const scores = of(dialogue.scores, number);
        const own = (dialogue.findings ?? []).filter((each) => each.kind === "verdict" && each.turns.includes(number));
        const drift = of(dialogue.drift, number)[0];
        const marked = [...rules.filter((each) => each.value === 0), ...own].map((each) => each.reason ?? "");
        const is = number === decisive;
        return (
          <li key={number} id={earlier ? undefined : `turn-${number}`} class={is ? "decisive" : own.length || rules.some((r) => r.value === 0) ? "shows" : ""} tabIndex={-1}>
            <span class="place">{number}</span>
            <div class="said">
              {is && <p class="flag">decisive turn</p>}
              {turn.user_calls?.map((call, each) => <Call key={each} call={call} by="user" />)}
              {turn.user && <Bubble who="user" text={turn.user} />}
              {turn.meant && <p class="quiet">meant: {readable(turn.meant)}</p>}
              {turn.tool_calls?.map((call, each) => <Call key={each} call={call} />)}
              <Bubble who="bot" text={turn.system ?? ""} marked={marked} />
              {turn.booked?.map((each, at) => <Booked key={at} made={each} />)}
              {turn.cancelled?.map((each, at) => <Booked key={at} made={each} gone />)}
              {own.map((each) => (
                <p key={each.name} class="finding bad">
                  <strong>{named(each.name)} failed</strong> {readable(each.reason)}
                </p>
              ))}
              <Rules found={rules} />
              <Scores found={scores} />
              {drift && (
                <div class="beside">
                  <div><h3>recorded</h3><p dir="auto">{readable(drift.was)}</p></div>
                  <div><h3>now</h3><p dir="auto">{readable(drift.now)}</p></div>
                </div>
              )}
              {(turn.heard || turn.state || turn.turn_state || turn.retrieved || turn.spans) && <Understood turn={turn} />}
            </div>
          </li>
        );
      })}
      {dialogue.last_words && (
        <li>
          <span class="place" />
          <div class="said"><Bubble who="user" text={dialogue.last_words} /></div>
        </li>
      )}
    </ol>
  );
}

function Rules({ found }: { found: RuleResult[] }) {
  return (
    <>
      {found.map((each) => (
        <p key={each.name} class={`finding ${each.value === 0 ? "bad" : "open"}`}>
          <strong title={each.says}>{named(each.name)} {each.value === 0 ? "broken" : "untold"}</strong>{" "}
          {readable(each.reason ?? "")}
        </p>
      ))}
    </>
  );
}

/** Scores below the best, and those that could not be given: the others say nothing new. */
function Scores({ found }: { found: Score[] }) {
  const low = found.filter((each) => each.value === null || each.value < each.scale[1]);
  return (
    <>
      {low.map((each) => (
        <p key={each.name} class="finding open">
          <strong>
            {named(each.name)} {each.value === null ? "unscored" : `${each.value} of ${each.scale[1]}`}
          </strong>{" "}
          {readable(each.unscored ?? each.reason)}
        </p>
      ))}
    </>
  );
}
