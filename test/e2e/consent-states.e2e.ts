/**
 * The approval window in every state it can be in, 420 pixels wide: nothing scrolls sideways, axe finds nothing, nothing is
 * thrown. The pictures of the same states are taken by `npm run shots`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { distOf } from "../demo/scene.ts";
import { CONSENT_STATES } from "../shots/states-consent.ts";
import { openStudio, type Studio } from "../shots/studio.ts";
import { journeyBrowsers } from "./browsers.ts";

describe.runIf(journeyBrowsers().includes("chromium"))("The approval window", () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio(distOf("chromium"));
  });
  afterAll(() => studio?.close());

  it.each(CONSENT_STATES)("is read without scrolling sideways and without a fault: $name", async (state) => {
    const problems: string[] = [];
    const page = await studio.show(
      { ...state, width: 420, settle: Math.min(state.settle ?? 250, 500) },
      "light",
      problems,
    );
    expect(await page.evaluate(() => document.querySelector("main") !== null)).toBe(true);
    problems.push(...(await studio.inspect(page)));
    await page.close();
    expect(problems).toEqual([]);
  });
});
