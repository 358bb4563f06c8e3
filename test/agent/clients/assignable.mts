/** Compiled, never run: the transport fits the `Transport` interface of each official package without a cast. */
import type { Transport as TransportV2 } from "@modelcontextprotocol/client";
import type { Transport as TransportV1 } from "@modelcontextprotocol/sdk/shared/transport.js";
import { NavraTransport } from "../../../src/agent/transport.ts";

const transport = new NavraTransport({ server: "mail" });
export const fits: readonly [TransportV1, TransportV2] = [transport, transport];
