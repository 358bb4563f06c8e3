/** The one file of the host: started by a browser it serves, by itself it watches, by a person it does what they say. */
import { fileURLToPath } from "node:url";
import { add } from "./commands/add.ts";
import { type Context, contextOf, parseOptions, Usage } from "./commands/context.ts";
import { doctor } from "./commands/doctor.ts";
import { install, uninstall } from "./commands/install.ts";
import { list, logs, remove } from "./commands/lists.ts";
import { review } from "./commands/review.ts";
import { readable } from "./readable.ts";
import { keepWatch, WARDEN_FLAG } from "./run/warden.ts";
import { callerOf, startHost } from "./start.ts";
import { VERSION } from "./version.ts";

type Command = (context: Context, argv: readonly string[]) => number | Promise<number>;

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["install", install],
  ["uninstall", uninstall],
  ["doctor", doctor],
  ["add", add],
  ["review", review],
  ["list", list],
  ["remove", remove],
  ["logs", logs],
]);

const HELP = `navra-host ${VERSION}: runs the local MCP servers that you allowed for navra.

  install                         register with the browsers that are there
  uninstall                       remove everything again
  doctor                          say what is wrong and how to repair it
  add NAME -- PROGRAM ARGUMENTS   allow a server (--cwd DIR, --env NAME)
  add --import [FILE]             look through the servers of Claude Desktop, Cursor and VS Code
  review [NAME]                   look at what was proposed in the browser, or pin a server anew
  list                            what is allowed
  remove NAME                     take it back
  logs [NAME]                     the host's log, or what a server wrote

  --profile DIR                   only for one browser profile
  --system                        for everyone on this machine (install, uninstall, doctor)
`;

async function main(argv: readonly string[]): Promise<number> {
  const script = fileURLToPath(import.meta.url);
  // The launcher of a profile says where its list is, before what the browser says.
  const homeNamed = argv[0] === "--home" ? argv[1] : undefined;
  const words = homeNamed === undefined ? argv : argv.slice(2);
  if (words[0] === WARDEN_FLAG) {
    await keepWatch(process.stdin);
    return 0;
  }
  const caller = callerOf(words);
  // A child's pipe that nobody reads any more must not keep the host.
  if (caller !== undefined) process.exit(await startHost(caller, homeNamed, script));
  const [command = "", ...rest] = words;
  if (command === "--version") {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const run = COMMANDS.get(command);
  if (!run) {
    process.stdout.write(HELP);
    return command === "" || command === "--help" || command === "help" ? 0 : 2;
  }
  const named = homeNamed === undefined ? rest : ["--home", homeNamed, ...rest];
  const context = contextOf(parseLoosely(named), script);
  try {
    return await run(context, named);
  } catch (problem) {
    process.stderr.write(`${readable(context.spellOut(textOf(problem)))}\n`);
    return problem instanceof Usage ? 2 : 1;
  }
}

/** The options that all commands share; each command reads its own strictly. */
function parseLoosely(argv: readonly string[]) {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  return parseOptions(own, { flags: ["--yes", "--import"], values: ["--cwd", "--env"] });
}

function textOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (problem: unknown) => {
    process.stderr.write(`${readable(textOf(problem))}\n`);
    process.exitCode = problem instanceof Usage ? 2 : 1;
  },
);
