/** The frame around every page: navigation, what waits, the pause; and which page is open. */
import type { ReadonlySignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ControlClient } from "../../platform/door.ts";
import { useData } from "../shared/ask.ts";
import { t } from "../shared/text.ts";
import { About } from "./about.tsx";
import { Approvals } from "./approvals.tsx";
import { Nav } from "./nav.tsx";
import { Overview } from "./overview.tsx";
import type { PageProps } from "./page-props.ts";
import { Records } from "./records.tsx";
import { hrefOf, PAGES, type Route } from "./route.ts";
import { Rules } from "./rules.tsx";
import { Servers } from "./servers.tsx";
import { Sites } from "./sites.tsx";

interface DashboardProps {
  readonly client: ControlClient;
  readonly route: ReadonlySignal<Route>;
}

export function Dashboard({ client, route }: DashboardProps): JSX.Element {
  const overview = useData(client, "overview.read", null, [
    "servers",
    "connections",
    "rules",
    "approvals",
    "records",
    "pins",
    "pause",
    "calls",
  ]);
  const servers = useData(client, "servers.read", null, ["servers", "connections", "pins"]);
  const main = useRef<HTMLElement>(null);
  const { page } = route.value;
  const shown = useRef(page);

  useEffect(() => {
    document.title = t("dash_title", t(`dash_page_${page}`));
    if (shown.current !== page) main.current?.focus();
    shown.current = page;
  }, [page]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const to = PAGES[Number(event.key) - 1];
      if (!event.altKey || event.ctrlKey || to === undefined) return;
      event.preventDefault();
      location.hash = hrefOf(to);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return (
    <div class="dash">
      <Nav client={client} page={page} overview={overview.data} onSkip={() => main.current?.focus()} />
      <main class="main" ref={main} tabIndex={-1}>
        <Page client={client} route={route.value} overview={overview} servers={servers} />
      </main>
    </div>
  );
}

function Page(props: PageProps): JSX.Element {
  switch (props.route.page) {
    case "overview":
      return <Overview {...props} />;
    case "servers":
      return <Servers {...props} />;
    case "sites":
      return <Sites {...props} />;
    case "rules":
      return <Rules {...props} />;
    case "approvals":
      return <Approvals {...props} />;
    case "records":
      return <Records {...props} />;
    case "about":
      return <About client={props.client} />;
  }
}
