/** A server that misbehaves costs the agent that call and nothing else: a named fault, and the next call works. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import type { Behaviour } from "../servers/scripted.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage } from "./journey.ts";

const NOTE = { server: "scripted", name: "note", arguments: { text: "hello" } };

describe.each(journeyBrowsers())("A bad server in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { scripted: true } });
    page = await connectedPage(scene);
  });
  afterAll(() => scene?.close());

  it.each<Behaviour>(["stream", "twice", "foreign"])(
    "that answers «%s» gives the agent its one answer",
    async (how) => {
      scene.servers.scripted.behave(how);
      expect(await call(page, NOTE)).toMatchObject({ ok: true, text: 'noted {"text":"hello"}' });
    },
  );

  it.each<[Behaviour, string]>([
    ["half", "upstream-broken"],
    ["html", "upstream-broken"],
    ["invalid-utf8", "upstream-broken"],
    ["huge", "too-large"],
  ])("that answers «%s» ends the call as %s", async (how, fault) => {
    scene.servers.scripted.behave(how);
    expect(await call(page, NOTE)).toMatchObject({ ok: false, refusal: { name: fault } });
    scene.servers.scripted.behave("well");
    expect(await call(page, NOTE)).toMatchObject({ ok: true });
  });

  it("that redirects elsewhere does not get the arguments carried there", async () => {
    let reached = 0;
    const elsewhere = createServer((_request, response) => {
      reached += 1;
      response.writeHead(200, { "access-control-allow-origin": "*" }).end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const { port } = elsewhere.address() as AddressInfo;
    scene.servers.scripted.setRedirect(`http://127.0.0.1:${port}/mcp`);
    scene.servers.scripted.behave("redirect");
    expect(await call(page, NOTE)).toMatchObject({ ok: false });
    expect(reached).toBe(0);
    await new Promise((resolve) => elsewhere.close(resolve));
    scene.servers.scripted.behave("well");
  });

  it("that forgot the session is met again without the agent noticing", async () => {
    scene.servers.scripted.forgetSessions();
    expect(await call(page, NOTE)).toMatchObject({ ok: true });
  });

  it("leaves a whole record of all of it", async () => {
    expect(await scene.control.ask("records.verify", null)).toMatchObject({ state: "whole" });
  });
});
