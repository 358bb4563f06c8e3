/** One picture: a page of ours in one state. */
import type { Page } from "puppeteer-core";
import type { ControlMethod, ControlResult } from "../../src/bridge/control-api.ts";

/** What the worker would answer. A method without an answer is refused with a sentence. */
export type Answers = { readonly [M in ControlMethod]?: ControlResult<M> };

export interface State {
  /** File name of the picture, without theme. */
  readonly name: string;
  /** Below `src/ui/`, with a query where the page reads one. */
  readonly page: string;
  readonly width: number;
  readonly height: number;
  /** `none`: the port opens and no answer comes. */
  readonly answers: Answers | "none";
  /** Done by a person before the picture. */
  readonly act?: (page: Page) => Promise<void>;
  /** Milliseconds to let pass before the picture. */
  readonly settle?: number;
}
