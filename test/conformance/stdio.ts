/**
 * The fixture behind navra's native host: built into one program, allowed on a machine of the run's own, and started by the
 * host when navra needs it.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { createMachine, type Machine } from "../hosts/machine.ts";
import type { Era } from "./fixture/server.ts";

/** A machine on which both eras of the fixture are allowed. `npm run build` must have built the host. */
export async function fixtureMachine(): Promise<Machine> {
  const machine = await createMachine();
  await bundleFixture(machine.folder);
  for (const era of ["legacy", "modern"] as const) {
    await machine.allow({ name: entryOf(era), program: process.execPath, args: [join(machine.folder, PROGRAM), era] });
  }
  return machine;
}

export function fixtureAddress(era: Era): string {
  return `local:${entryOf(era)}`;
}

const PROGRAM = "fixture.mjs";

function entryOf(era: Era): string {
  return `fixture-${era}`;
}

async function bundleFixture(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: "node20",
      ssr: fileURLToPath(new URL("fixture/stdio.ts", import.meta.url)),
      rollupOptions: { output: { entryFileNames: PROGRAM, codeSplitting: false } },
    },
  });
}
