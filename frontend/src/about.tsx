import type { Index } from "./data";
import { named, percent, readable } from "./text";

/** What the numbers rest on. */
export function About({ index }: { index: Index }) {
  const rules = Object.entries(index.rules).filter(([, each]) => each.adherence !== null);
  rules.sort((one, other) => (one[1].adherence ?? 0) - (other[1].adherence ?? 0));
  return (
    <>
      <h1>What the numbers rest on</h1>
      <div class="columns">
        <section>
          <h2>Rules</h2>
          <table data-export="rules">
            <thead>
              <tr>
                <th scope="col">rule</th>
                <th scope="col" class="number">kept</th>
                <th scope="col" class="number">broken</th>
                <th scope="col" class="number">turns</th>
              </tr>
            </thead>
            <tbody>
              {rules.map(([name, each]) => (
                <tr key={name}>
                  <th scope="row">{named(name)}</th>
                  <td class="number">{percent(each.adherence ?? 0)}</td>
                  <td class="number">{each.broken || "–"}</td>
                  <td class="number">{each.complies + each.broken}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {rules.length === 0 && <p class="quiet">No rule was asked.</p>}
        </section>
        <section>
          <h2>Environment</h2>
          <dl class="verdicts">
            {Object.entries(index.environment).map(([name, value]) => (
              <div key={name}>
                <dt>{named(name)}</dt>
                <dd><pre tabIndex={0}>{readable(typeof value === "string" ? value : JSON.stringify(value, null, 1))}</pre></dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </>
  );
}
