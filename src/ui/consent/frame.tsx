/** Head, scrolling middle and foot of every approval. Head and foot never move; only the middle scrolls. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { AlikeSite } from "../../core/consent/alike-sites.ts";
import type { Approval, GrantScope, GrantWish, QuestionReply } from "../../core/consent/approval.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { siteName } from "../shared/site.tsx";
import { isSpelled } from "../shared/spelled-name.ts";
import { formatNumber, t, tx } from "../shared/text.ts";
import { countdown, exact } from "../shared/time.ts";
import { useNow } from "../shared/when.tsx";
import { useArming } from "./use-arming.ts";

export interface Given {
  readonly answer: "allow" | "deny";
  readonly scope: GrantScope;
  readonly grant?: GrantWish;
  readonly tools?: Readonly<Record<string, readonly string[]>>;
  readonly reply?: QuestionReply;
}

/** What the window around an approval hands to its view. */
export interface FrameProps {
  /** Names exactly what is shown. */
  readonly content: string;
  readonly waiting: number;
  /** How many calls this answer is for. */
  readonly identical: number;
  /** Whether it became something else while the person looked. */
  readonly changed: boolean;
  /** A site that the person knows and that this one could be taken for. */
  readonly twin: AlikeSite | undefined;
  readonly problem: string | undefined;
  readonly answer: (given: Given) => void;
}

interface Props extends FrameProps {
  readonly approval: Approval;
  readonly title: ComponentChildren;
  readonly crossing: ComponentChildren;
  /** How many `data-part` ends are in the middle. */
  readonly parts: number;
  readonly denyLabel: string;
  readonly allowLabel: string;
  /** What Deny gives where that is more than a no. */
  readonly deny?: Given | undefined;
  /** A third way, between the two. */
  readonly middle?: ComponentChildren;
  /** What closing the window means, and the key of what is said about the time left. */
  readonly closing?: ComponentChildren;
  readonly ending?: string;
  /** What Allow gives, or why it cannot be pressed now. */
  readonly allow: Given | string;
  readonly children: ComponentChildren;
}

export function Frame(props: Props): JSX.Element {
  const { approval, title, crossing, parts, content, children } = props;
  const body = useRef<HTMLDivElement>(null);
  const deny = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const button = useArming(content, parts, body);
  // New content takes the focus off Allow before it is seen, for a key on its way meant something else, and is read from
  // its beginning.
  useLayoutEffect(() => {
    deny.current?.focus();
    body.current?.scrollTo({ top: 0, behavior: "instant" });
  }, [content]);
  useEffect(() => {
    document.title = t("consent_window_title", heading.current?.textContent ?? "");
  }, []);

  return (
    <main class="consent" onKeyDown={(event) => scrollByKey(event, body.current)}>
      <header class="c-head">
        <div class="top">
          <span class="mark">
            <Icon name="gate" />
          </span>
          <span>navra</span>
          <span class="grow" />
          {props.identical > 1 && <span class="badge">{t("consent_identical", formatNumber(props.identical))}</span>}
          {props.waiting > 1 && <span class="badge">{t("consent_one_of", formatNumber(props.waiting))}</span>}
        </div>
        <h1 ref={heading}>{title}</h1>
        {crossing}
        {approval.agent !== "" && <p class="c-agent">{tx("consent_calls_itself", <Said text={approval.agent} />)}</p>}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the middle must scroll by keys alone */}
      <section class="c-body" ref={body} tabIndex={0} aria-label={t("consent_details")}>
        <Notices {...props} />
        {children}
      </section>
      <footer class="c-foot">
        <p class="more-below" id="why-not" role="status">
          <WhyNot allow={props.allow} unseen={button.unseen} />
        </p>
        <div class="acts">
          <button
            type="button"
            class="btn btn-l btn-deny"
            ref={deny}
            onKeyDown={ignoreHeldKeys}
            onClick={() => props.answer(props.deny ?? { answer: "deny", scope: "once" })}
          >
            {props.denyLabel}
          </button>
          {props.middle}
          <AllowButton {...props} button={button} />
        </div>
        <Fine {...props} />
      </footer>
    </main>
  );
}

function AllowButton({ allow, allowLabel, answer, button }: Props & { readonly button: ReturnType<typeof useArming> }) {
  const ready = button.armed && typeof allow !== "string";
  return (
    <button
      type="button"
      class="btn btn-l btn-arm"
      aria-disabled={!ready}
      aria-describedby="why-not"
      style={{ "--armed": button.share }}
      onPointerDown={() => button.press(false)}
      onKeyDown={(event) => {
        ignoreHeldKeys(event);
        if (event.key === "Enter" || event.key === " ") button.press(event.repeat);
      }}
      onClick={(event) => {
        if (typeof allow !== "string" && event.isTrusted && button.mayAllow()) answer(allow);
      }}
    >
      {allowLabel}
    </button>
  );
}

function Notices({ approval, changed, twin, problem }: Props): JSX.Element {
  return (
    <>
      {problem && <Notice mark="deny" icon="warn" title={problem} />}
      {changed && (
        <Notice mark="unknown" icon="refresh" title={t("consent_changed")} more={t("consent_changed_more")} />
      )}
      {isSpelled(approval.principal) && (
        <Notice mark="unknown" icon="twin" title={t("consent_spelled")} more={t("consent_spelled_more")} />
      )}
      {twin && (
        <Notice
          mark="deny"
          icon="twin"
          title={t("consent_spelled")}
          more={tx(
            "consent_alike_more",
            <b>
              <bdi>{siteName(twin.origin)}</bdi>
            </b>,
            <b>
              <bdi>{siteName(twin.known)}</bdi>
            </b>,
          )}
        />
      )}
      {!approval.live && <Notice mark="off" icon="clock" title={t("consent_late")} more={t("consent_late_more")} />}
    </>
  );
}

interface NoticeProps {
  readonly mark: "deny" | "unknown" | "off";
  readonly icon: "warn" | "refresh" | "clock" | "twin";
  readonly title: string;
  readonly more?: ComponentChildren;
}

function Notice({ mark, icon, title, more }: NoticeProps): JSX.Element {
  return (
    <div class="banner" data-v={mark} role="status">
      <Icon name={icon} />
      <div>
        <b>{title}</b>
        {more && <p>{more}</p>}
      </div>
    </div>
  );
}

function WhyNot({ allow, unseen }: { readonly allow: Given | string; readonly unseen: number }): JSX.Element | null {
  if (unseen === 0 && typeof allow !== "string") return null;
  return (
    <>
      <Icon name={unseen > 0 ? "down" : "info"} />
      {unseen > 0 ? t("consent_more_below") : String(allow)}
    </>
  );
}

function Fine({ approval, closing, ending = "consent_time_left" }: Props): JSX.Element {
  const now = useNow(1_000);
  const left = countdown(approval.expiresAt, now);
  return (
    <div class="fine">
      <span>{closing ?? t("consent_closing")}</span>
      <span title={exact(approval.expiresAt)}>{t(ending, left)}</span>
    </div>
  );
}

/** From the buttons of the foot the reading keys scroll what is to be read, a page less a line at a time. */
function scrollByKey(event: KeyboardEvent, body: HTMLElement | null): void {
  const pages = { PageDown: 1, PageUp: -1, ArrowDown: 0.15, ArrowUp: -0.15 }[event.key];
  if (pages === undefined || !body || !(event.target instanceof HTMLButtonElement)) return;
  event.preventDefault();
  body.scrollBy({ top: pages * (body.clientHeight - 24), behavior: "instant" });
}

function ignoreHeldKeys(event: KeyboardEvent): void {
  if (event.repeat && event.key !== "Tab") event.preventDefault();
}
