/** Rows of the JSON corpora, which hold documents as base64 or as a recipe to build at run time. */
import { Buffer } from "node:buffer";
import { sharedData } from "../../shared-data.ts";

export interface JsonRow {
  readonly name: string;
  readonly expect: string;
  readonly why?: string;
  readonly b64?: string;
  readonly gen?: Recipe;
}

interface Recipe {
  readonly prefix?: string;
  readonly repeat?: string;
  readonly repeat_fmt?: string;
  readonly sep?: string;
  readonly times: number;
  readonly middle?: string;
  readonly repeat2?: string;
  readonly suffix?: string;
  readonly tail_b64?: string;
}

export interface EnvelopeRow {
  readonly name: string;
  readonly dir: "client->server" | "server->client";
  readonly expect: string;
  readonly why: string;
  readonly raw: string;
}

/** The rows of one file of JSON Lines; none where the corpora are absent. */
export function loadRows<Row>(path: string): Row[] {
  const lines = (sharedData(path) ?? "").split("\n").filter((line) => line !== "");
  return lines.map((line): Row => JSON.parse(line));
}

export function documentBytes(row: JsonRow): Uint8Array {
  if (row.b64 !== undefined) return Buffer.from(row.b64, "base64");
  if (row.gen === undefined) throw new TypeError("a row has a document or a recipe");
  return Buffer.from(build(row.gen));
}

function build(recipe: Recipe): string {
  const { prefix = "", middle = "", suffix = "", times } = recipe;
  const tail = recipe.tail_b64 === undefined ? "" : Buffer.from(recipe.tail_b64, "base64").toString();
  return prefix + repeated(recipe) + middle + (recipe.repeat2 ?? "").repeat(times) + suffix + tail;
}

function repeated({ repeat, repeat_fmt, sep = "", times }: Recipe): string {
  if (repeat_fmt === undefined) return (repeat ?? "").repeat(times);
  const parts = Array.from({ length: times }, (_, index) => repeat_fmt.replaceAll("%d", String(index)));
  return parts.join(sep);
}
