/**
 * What a file of one revision says: the words it added to the protocol and those it took away, beside a few traits. The
 * words of a revision are those of all before it and its own; what an agent of an older revision cannot read is what was
 * added since. So a new revision is a new file that says what changed, and one line in the list of `revision.ts`.
 */

export interface RevisionFile {
  /** As it is written on the wire. */
  readonly name: string;
  /** `legacy`: a session is opened by `initialize`. `modern`: each request carries its version. */
  readonly era: "legacy" | "modern";
  /** One frame may be an array of messages. */
  readonly batches: boolean;
  /** Over HTTP each request after the first names the revision in a header. */
  readonly versionHeader: boolean;
  /** What `structuredContent` and the root of `outputSchema` may be. */
  readonly structured: "none" | "object" | "any";
  /** JSON-RPC code for a resource that is not there. */
  readonly notFound: number;
  readonly adds: Partial<Words>;
  readonly removes?: Partial<Words>;
}

export interface Words {
  /** Requests an agent may send. */
  readonly requests: readonly string[];
  /** Notifications a server may send to an agent. */
  readonly notifications: readonly string[];
  /** Capabilities a server may declare. */
  readonly capabilities: readonly string[];
  /** Members of listed tools, prompts, resources and templates, beside those that have always been there. */
  readonly members: readonly string[];
  /** Types of content blocks. */
  readonly blocks: readonly string[];
  /** Members of a report of progress. */
  readonly progress: readonly string[];
  /** Ways to ask the person something. */
  readonly elicitation: readonly string[];
  /** Kinds of fields of a form. */
  readonly fields: readonly string[];
}
