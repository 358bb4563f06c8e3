/**
 * `pin`: is each tool still what the person approved. On a call it notes the tool's pin state and, with it, its class; on
 * a list it compares every definition that passes, and a changed one is quarantined from that moment on, everywhere.
 */
import type { MutableCall } from "../call.ts";
import { listedItems } from "../mcp/lists.ts";
import { findTool } from "../mcp/stage.ts";
import type { PinState } from "../pipeline/ledger.ts";
import type { Stage } from "../pipeline/stage.ts";
import type { Catalogue, ToolDefinition } from "../servers/server.ts";
import { toolClass } from "../servers/tool-class.ts";
import { canonicalize } from "../wire/canonical.ts";
import type { Pins } from "./pins.ts";

export interface PinOptions {
  readonly pins: Pins;
  readonly catalogue: (serverId: string) => Catalogue | undefined;
  /** A tool was quarantined. */
  readonly changed: () => void;
}

export function pinStage({ pins, catalogue, changed }: PinOptions): Stage {
  return {
    name: "pin",
    request(call) {
      const definition = call.ledger.read("definition");
      if (!definition) {
        call.ledger.note("pin", "none");
        return undefined;
      }
      const state = pinStateOf(pins, call);
      call.ledger.note("pin", state);
      call.ledger.note(
        "class",
        toolClass(definition.value, { trusted: call.server.trust === "trusted", pinned: state === "approved" }),
      );
      return undefined;
    },
    reply(call) {
      const hidden = new Set<string>();
      const known = catalogue(call.server.id);
      for (const { name, text } of listedTools(call)) {
        const state = pins.state(call.server.id, name, canonicalAs(text, findTool(known, name)));
        if (state === "changed" || pins.quarantined(call.server.id, name)) hidden.add(name);
      }
      if (hidden.size > 0) {
        call.ledger.note("quarantined", hidden);
        changed();
      }
      return undefined;
    },
  };
}

/** Is the call's tool still what was approved; `none` for a call that is of no tool. */
export function pinStateOf(pins: Pins, call: MutableCall): PinState {
  const definition = call.ledger.read("definition");
  if (!definition) return "none";
  const { id } = call.server;
  if (pins.quarantined(id, definition.name)) return "changed";
  return pins.state(id, definition.name, canonicalDefinition(definition));
}

/** The canonical form of a definition, made once per definition. */
export function canonicalDefinition(definition: ToolDefinition): string {
  let text = CANONICAL.get(definition);
  if (text === undefined) {
    text = canonicalize(definition.text);
    CANONICAL.set(definition, text);
  }
  return text;
}

/** Most lists say what the catalogue says, whose forms are at hand. */
function canonicalAs(text: string, known: ToolDefinition | undefined): string {
  return known?.text === text ? canonicalDefinition(known) : canonicalize(text);
}

/** The tools of a `tools/list` result in hand, each with the exact text of its definition; empty for anything else. */
export function listedTools(call: MutableCall): readonly { readonly name: string; readonly text: string }[] {
  return call.message.method === "tools/list" ? listedItems(call) : [];
}

const CANONICAL = new WeakMap<ToolDefinition, string>();
