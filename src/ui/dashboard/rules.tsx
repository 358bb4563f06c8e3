/** The person's rules: a list to switch and delete, and the whole of it as text. */
import type { JSX } from "preact";
import { useData } from "../shared/ask.ts";
import { formatNumber, t } from "../shared/text.ts";
import { Await } from "./await.tsx";
import { PageHead } from "./page-head.tsx";
import type { PageProps } from "./page-props.ts";
import { RuleList } from "./rule-list.tsx";
import { RuleText } from "./rule-text.tsx";

export function Rules({ client }: PageProps): JSX.Element {
  const loaded = useData(client, "rules.read", null, ["rules", "servers"]);
  const count = loaded.data?.rules.length;
  return (
    <>
      <PageHead
        title={t("dash_page_rules")}
        note={
          count === undefined
            ? undefined
            : count === 0
              ? t("dash_rules_none")
              : t("dash_rules_note", formatNumber(count))
        }
      />
      <Await loaded={loaded}>
        {(data) => (
          <div class="body">
            <RuleList client={client} rules={data.rules} serverNames={data.serverNames} onChanged={loaded.reload} />
            <RuleText client={client} text={data.text} onChanged={loaded.reload} />
          </div>
        )}
      </Await>
    </>
  );
}
