/** The four words of a proposal, from Node's digest. */
import { createHash } from "node:crypto";
import type { Proposal } from "../../bridge/native.ts";
import { fourWords, proposalText } from "../../bridge/native-words.ts";

export function wordsOf(proposal: Proposal): string {
  return fourWords(createHash("sha256").update(proposalText(proposal)).digest("hex"));
}
