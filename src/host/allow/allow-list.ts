/**
 * The list of what may run, and the list of what a browser would like to run. Nothing moves from the second to the first
 * but by a person's answer in a terminal.
 */
import { type Proposal, SERVER_NAME, type WaitingProposal } from "../../bridge/native.ts";
import { parseList } from "../../bridge/native-parse.ts";
import { type Entry, entriesText, parseEntries } from "./entry.ts";
import type { Home } from "./home.ts";
import { readOwned, withLock, writeOwned } from "./safe-file.ts";
import { wordsOf } from "./words.ts";

export const MOST_ENTRIES = 100;
export const MOST_PROPOSALS = 20;
const MOST_PROPOSAL_UNITS = 8192;

/** @throws UnsafeFile, Error when it cannot be read as what it is */
export function readEntries(home: Home): Entry[] {
  const text = readOwned(home.servers);
  return text === undefined ? [] : parseEntries(text, home.servers);
}

/** Puts an entry in, in place of one of the same name, which is returned. */
export function allow(home: Home, entry: Entry): Promise<Entry | undefined> {
  return withLock(home.servers, () => {
    const entries = readEntries(home);
    const others = entries.filter((one) => one.name !== entry.name);
    if (others.length >= MOST_ENTRIES) throw new Error(`The list holds ${MOST_ENTRIES} servers. Remove one first.`);
    writeOwned(home.servers, entriesText([...others, entry]));
    return entries.find((one) => one.name === entry.name);
  });
}

/** Whether it was there. */
export function disallow(home: Home, name: string): Promise<boolean> {
  return withLock(home.servers, () => {
    const entries = readEntries(home);
    const rest = entries.filter((one) => one.name !== name);
    if (rest.length !== entries.length) writeOwned(home.servers, entriesText(rest));
    return rest.length !== entries.length;
  });
}

/** @throws UnsafeFile, Error with the remedy when they cannot be read as what they are */
export function readProposals(home: Home): WaitingProposal[] {
  const text = readOwned(home.proposals);
  if (text === undefined) return [];
  const waiting = parseWaiting(text);
  if (!waiting) throw new Error(`What was proposed is not understood. Remove ${home.proposals} and propose it again.`);
  // Words are never read back: they are a fact about what is stored.
  return waiting.map(({ proposal, at }) => ({ proposal, at, words: wordsOf(proposal) }));
}

function parseWaiting(text: string): readonly WaitingProposal[] | undefined {
  try {
    return parseList({ servers: [], waiting: JSON.parse(text) })?.waiting;
  } catch {
    return undefined;
  }
}

/** Stores it until `review`. @throws Error with a sentence for the dashboard */
export async function propose(home: Home, proposal: Proposal, now: number): Promise<void> {
  if (JSON.stringify(proposal).length > MOST_PROPOSAL_UNITS) throw new Error("That is too long to be looked at.");
  if (!SERVER_NAME.test(proposal.name)) throw new Error("A name has letters, digits, dot, dash and underscore.");
  await withLock(home.proposals, () => {
    const others = readProposals(home).filter((one) => one.proposal.name !== proposal.name);
    if (others.length >= MOST_PROPOSALS) {
      throw new Error(`${MOST_PROPOSALS} proposals wait already. Run navra-host review in a terminal first.`);
    }
    const waiting = [...others, { proposal, words: wordsOf(proposal), at: now }];
    writeOwned(home.proposals, `${JSON.stringify(waiting, null, 2)}\n`);
  });
}

/** Takes exactly this proposal away, and not one that replaced it meanwhile. */
export function settle(home: Home, proposal: Pick<Proposal, "name">, words?: string): Promise<void> {
  return withLock(home.proposals, () => {
    const waiting = readProposals(home);
    const rest = waiting.filter(
      (one) => one.proposal.name !== proposal.name || (words !== undefined && one.words !== words),
    );
    if (rest.length !== waiting.length) writeOwned(home.proposals, `${JSON.stringify(rest, null, 2)}\n`);
  });
}
