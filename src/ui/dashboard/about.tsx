/** What navra cannot see or prove, said before somebody relies on it; how much it takes at once; and the keys. */
import type { JSX } from "preact";
import type { ControlClient } from "../../platform/door.ts";
import { Icon } from "../shared/icon.tsx";
import type { IconName } from "../shared/icon-shapes.ts";
import { t } from "../shared/text.ts";
import { Bounds } from "./bounds.tsx";
import { PageHead } from "./page-head.tsx";
import { PAGES } from "./route.ts";

export function About({ client }: { readonly client: ControlClient }): JSX.Element {
  return (
    <>
      <PageHead title={t("dash_page_about")} />
      <div class="body">
        <section class="sec">
          <h2>{t("dash_limits")}</h2>
          <ul class="claims">
            {LIMITS.map(([name, icon]) => (
              <li key={name} class="claim">
                <Icon name={icon} />
                <div>
                  <h3>{t(`dash_limit_${name}`)}</h3>
                  <p class="claims-text">{t(`dash_limit_${name}_text`)}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
        <Bounds client={client} />
        <section class="sec">
          <h2>{t("dash_keys")}</h2>
          <table class="table keys">
            <tbody>
              {KEYS.map(([keys, name]) => (
                <tr key={name}>
                  <td>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </td>
                  <td>{t(`dash_key_${name}`)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </>
  );
}

const LIMITS: readonly (readonly [string, IconName])[] = [
  ["cloud", "outside"],
  ["page", "site"],
  ["detectors", "hiddenchar"],
  ["exact", "scale"],
  ["off", "clock"],
];

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [["Alt", `1…${PAGES.length}`], "pages"],
  [["↑", "↓"], "rows"],
  [["Enter"], "open"],
  [["Esc"], "close"],
  [["/"], "filter"],
  [["Ctrl", "S"], "save"],
];
