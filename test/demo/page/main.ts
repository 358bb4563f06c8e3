/** The page around the agent: a button to connect, a button to run, and a table of what came back. */
import { Agent, type Ending, type Errand } from "./agent.ts";

declare global {
  interface Window {
    /** For whoever drives the page: the same agent that the buttons use, and one with the older client. */
    agent: Agent;
    agentV1: Agent;
    /** What the connect button led to last. */
    connected: { readonly names?: readonly string[]; readonly problem?: string } | undefined;
  }
}

const ERRANDS: readonly Errand[] = [
  { server: "everything", name: "echo", arguments: { message: "Hello from an agent page" } },
  { server: "everything", name: "get-env", arguments: {} },
  { server: "srift", name: "srift_quick_share", arguments: { filePath: "/home/ada/report.pdf", encrypt: true } },
  { server: "srift", name: "srift_list_shares", arguments: {} },
];

window.agent = new Agent("v2");
window.agentV1 = new Agent("v1");
window.connected = undefined;

const connect = element("connect", HTMLButtonElement);
const run = element("run", HTMLButtonElement);
const state = element("state", HTMLElement);
const calls = element("calls", HTMLElement);

connect.addEventListener("click", async () => {
  window.connected = undefined;
  state.textContent = "Waiting for you in navra's window …";
  try {
    const names = await window.agent.connect();
    window.connected = { names };
    showServers(names);
  } catch (problem) {
    const sentence = problem instanceof Error ? problem.message : String(problem);
    window.connected = { problem: sentence };
    state.textContent = sentence;
  }
});

connect.disabled = false;

run.addEventListener("click", async () => {
  run.disabled = true;
  for (const errand of ERRANDS) showCall(errand, await window.agent.call(errand));
  run.disabled = false;
});

if (await window.agent.found()) showServers(await window.agent.servers());
else state.textContent = "navra is not in this page.";

function showServers(names: readonly string[]): void {
  state.textContent = names.length > 0 ? `Connected: ${names.join(", ")}` : "Not connected yet.";
  run.disabled = names.length === 0;
}

function showCall(errand: Errand, ending: Ending): void {
  const row = document.createElement("tr");
  const answer = ending.ok ? ending.text : `${ending.refusal?.name ?? "error"}: ${ending.text}`;
  for (const text of [`${errand.server} · ${errand.name}`, answer, `${ending.ms.toFixed(0)} ms`]) {
    const cell = document.createElement("td");
    cell.textContent = text;
    row.append(cell);
  }
  calls.append(row);
}

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}.`);
  return found;
}
