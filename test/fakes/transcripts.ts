/** The transcripts that lie beside the project, and how one is held against what an agent got. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sliceAt } from "../../src/core/wire/splice.ts";
import { sharedData } from "../shared-data.ts";
import type { FakeWorld } from "./gateway.ts";
import { readTranscript } from "./replay.ts";

const FOLDER = "mcp/transcripts";
const FOLDER_URL = new URL(`../../../shared/data/${FOLDER}/`, import.meta.url);

/** Every one; none where they are not beside the project. */
export function transcriptFiles(): readonly string[] {
  if (sharedData(`${FOLDER}/n8n-mcp.jsonl`) === undefined) return [];
  return readdirSync(FOLDER_URL).filter((name) => name.endsWith(".jsonl"));
}

/** Those in which a server answered at all. */
export function transcriptNames(): readonly string[] {
  return transcriptFiles().filter((name) => readTranscript(transcriptText(name)).exchanges.length > 0);
}

export function transcriptText(name: string): string {
  return sharedData(`${FOLDER}/${name}`) ?? "";
}

export function transcriptPath(name: string): string {
  return fileURLToPath(new URL(name, FOLDER_URL));
}

/** Answered by navra itself, or shown in its own selection. */
const OURS: ReadonlySet<string> = new Set(["initialize", "ping", "tools/list", "no/such/method"]);
const ALLOW_ALL = { id: "all", verdict: "allow", priority: 100, on: ["request"], when: {}, mode: "enforce" } as const;

export interface Compared {
  /** Result or error as the agent got it, and as the server wrote it. */
  readonly got: string | undefined;
  readonly wrote: string | undefined;
}

/** Asks what was asked in the transcript, as an agent does. */
export async function askAgain(world: FakeWorld, name: string): Promise<readonly Compared[]> {
  await world.gateway.rules.save(ALLOW_ALL);
  const page = world.page();
  await page.initialize("2025-11-25");
  const known = new Set(world.gateway.registry.catalogue(world.server.id)?.tools.map((tool) => tool.name));
  const compared: Compared[] = [];
  for (const [at, { frame, answer }] of readTranscript(transcriptText(name)).exchanges.entries()) {
    if (OURS.has(frame.method) || (frame.method === "tools/call" && !known.has(String(frame.params?.name)))) continue;
    page.send({ ...frame, jsonrpc: "2.0", id: `agent-${at}` });
    await page.reply(`agent-${at}`);
    compared.push({ got: member(page.gotText.at(-1) ?? ""), wrote: member(answer) });
  }
  return compared;
}

function member(text: string): string | undefined {
  return sliceAt(text, ["result"]) ?? sliceAt(text, ["error"]);
}
