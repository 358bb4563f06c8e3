/** A server that refuses an extension's Origin is explained, and works once the person has the header left out for it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage } from "./journey.ts";

const NOTE = { server: "scripted", name: "note", arguments: { text: "hello" } };

describe.each(journeyBrowsers())("A server that refuses extensions in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { scripted: true } });
    page = await connectedPage(scene);
    expect(await call(page, NOTE)).toMatchObject({ ok: true });
    scene.servers.scripted.refusesExtensions = true;
  });
  afterAll(() => scene?.close());

  async function server(): Promise<{ readonly id: string; readonly name: string }> {
    const { servers } = await scene.control.ask("servers.read", null);
    const found = servers.find(({ server: { name } }) => name === "scripted");
    if (!found) throw new Error("The server is not registered.");
    return found.server;
  }

  it("fails by name, and its health says what can be done", async () => {
    expect(await call(page, NOTE)).toMatchObject({ ok: false, refusal: { name: "upstream-broken" } });
    const { id } = await server();
    const { health } = await scene.control.ask("server.test", { id });
    expect(health).toMatchObject({
      state: "failing",
      hint: "origin",
      problem: expect.stringContaining("Origin header"),
    });
  });

  it("is reached when the header is left out, and refused again when it is sent again", async () => {
    const { id } = await server();
    await scene.control.ask("server.update", { id, hideOrigin: true });
    expect(await call(page, NOTE)).toMatchObject({ ok: true });
    await scene.control.ask("server.update", { id, hideOrigin: false });
    expect(await call(page, NOTE)).toMatchObject({ ok: false });
  });
});
