/**
 * The project's own sources as the architecture test sees them: what each file imports, which outside names it uses, and
 * whether it begins with its paragraph. Read from the syntax tree, so that neither comments nor strings count.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

export interface Import {
  /** A path below `src`, or a package's name as written. */
  readonly target: string;
  readonly kind: "file" | "package";
  readonly typeOnly: boolean;
  readonly written: string;
}

export interface Source {
  /** Below `src`, with slashes: `core/wire/decode.ts`. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Names used and not declared in the file: globals. */
  readonly globals: ReadonlySet<string>;
  /** The first comment, when nothing but it begins the file. */
  readonly opening: string;
  readonly exports: number;
  /** Nothing but re-exports. */
  readonly barrel: boolean;
}

export const SRC = fileURLToPath(new URL("../../src", import.meta.url));

export function readSources(): Source[] {
  return readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => parseSource(relative(SRC, file).split(sep).join("/"), readFileSync(file, "utf8")));
}

export function parseSource(path: string, text: string): Source {
  const parsed = parseSync(path, text);
  const program = parsed.program as unknown as Node & { readonly body: readonly Node[] };
  const names = collectNames(program);
  const first = parsed.comments[0];
  const exported = program.body.filter((node) => node.type.startsWith("Export"));
  return {
    path,
    imports: importsOf(path, program),
    globals: new Set([...names.used].filter((name) => !names.declared.has(name))),
    opening: first !== undefined && text.slice(0, first.start).trim() === "" ? first.value : "",
    exports: exported.length,
    barrel:
      program.body.length > 0 &&
      program.body.every((node) => node.type.startsWith("Export") && node.source !== null && node.source !== undefined),
  };
}

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

function importsOf(path: string, program: Node): Import[] {
  const imports: Import[] = [];
  visit(program, (node) => {
    const source = node.source as { readonly value?: unknown } | null | undefined;
    if (typeof source?.value !== "string") return;
    const typeOnly =
      node.type === "TSImportType" || node.importKind === "type" || node.exportKind === "type" || onlyTypes(node);
    imports.push(resolveImport(path, source.value, typeOnly));
  });
  return imports;
}

function onlyTypes(node: Node): boolean {
  const specifiers = node.specifiers as readonly Node[] | undefined;
  return specifiers !== undefined && specifiers.length > 0 && specifiers.every((one) => one.importKind === "type");
}

function resolveImport(from: string, written: string, typeOnly: boolean): Import {
  if (!written.startsWith(".")) return { target: written, kind: "package", typeOnly, written };
  return { target: posix.normalize(posix.join(posix.dirname(from), written)), kind: "file", typeOnly, written };
}

interface Names {
  readonly used: Set<string>;
  readonly declared: Set<string>;
}

// Coarse on purpose: a name declared anywhere in the file counts as the file's own.
function collectNames(program: Node): Names {
  const used = new Set<string>();
  const declared = new Set<string>();
  visit(program, (node, parent, role) => {
    if (node.type !== "Identifier" && node.type !== "JSXIdentifier") return;
    const name = String(node.name);
    if (isDeclaration(parent, role)) declared.add(name);
    else if (!isMemberName(parent, role)) used.add(name);
  });
  return { used, declared };
}

function isDeclaration(parent: Node | undefined, role: string): boolean {
  if (parent === undefined) return false;
  if (role === "local") return true;
  if (role === "id") return true;
  if (role === "params" || role === "param") return true;
  return role === "name" && parent.type === "TSTypeParameter";
}

function isMemberName(parent: Node | undefined, role: string): boolean {
  if (parent === undefined) return false;
  if (role === "property" || role === "key" || role === "imported" || role === "exported")
    return parent.computed !== true;
  return parent.type === "TSQualifiedName" && role === "right";
}

type Visitor = (node: Node, parent: Node | undefined, role: string) => void;

function visit(node: Node, visitor: Visitor, parent?: Node, role = ""): void {
  visitor(node, parent, role);
  for (const [member, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === "object" && child !== null && typeof child.type === "string")
        visit(child, visitor, node, member);
    }
  }
}
