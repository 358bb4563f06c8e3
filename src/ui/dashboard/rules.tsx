/** What decides: the organisation's rules and the person's, edited as form and text, tried out, kept, and taken back. */
import type { JSX } from "preact";
import type { ServerView } from "../../bridge/control-api.ts";
import { useData } from "../shared/ask.ts";
import { ManagedBanner } from "../shared/managed.tsx";
import { formatNumber, t } from "../shared/text.ts";
import { Await } from "./await.tsx";
import { Coverage } from "./coverage.tsx";
import { PageHead } from "./page-head.tsx";
import type { PageProps } from "./page-props.ts";
import { hrefOf } from "./route.ts";
import { RuleEditor } from "./rule-editor.tsx";
import { RuleFiles } from "./rule-files.tsx";
import { RuleHistory } from "./rule-history.tsx";
import { RuleList } from "./rule-list.tsx";
import { RulePresets } from "./rule-presets.tsx";

export function Rules({ client, route, servers }: PageProps): JSX.Element {
  const loaded = useData(client, "rules.read", null, ["rules", "servers", "connections"]);
  const count = loaded.data?.rules.length;
  const choose = (id: string) => {
    location.hash = hrefOf("rules", encodeURIComponent(id));
  };
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
            <ManagedBanner managed={data.managed} />
            <Coverage coverage={data.coverage} />
            <RuleList
              client={client}
              rules={data.rules}
              managed={data.managed}
              defaults={data.default}
              serverNames={data.serverNames}
              onEdit={choose}
              onChanged={loaded.reload}
            />
            <RuleEditor
              client={client}
              text={data.text}
              chosen={decodeURIComponent(route.chosen)}
              onChoose={choose}
              servers={named(servers.data?.servers ?? [])}
              onChanged={loaded.reload}
            />
            <RuleHistory client={client} serverNames={data.serverNames} onChanged={loaded.reload} />
            <div class="cols cols-11">
              <RulePresets client={client} now={data} onChanged={loaded.reload} />
              <RuleFiles client={client} onChanged={loaded.reload} />
            </div>
          </div>
        )}
      </Await>
    </>
  );
}

function named(views: readonly ServerView[]) {
  return views.map(({ server, catalogue }) => ({
    id: server.id,
    name: server.name,
    tools: (catalogue?.tools ?? []).map(({ name }) => name),
  }));
}
