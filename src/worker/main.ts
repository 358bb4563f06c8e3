/**
 * The worker's entry. Every listener is registered in the first turn, before anything is awaited, because a browser wakes
 * a worker for an event and only tells those who listen by then. What arrives early waits until state is restored; nothing
 * passes before that.
 */
import { onConnect, onPauseKey, onSessionsAlarm, onStart, workerPlatform } from "../platform/worker/browser.ts";
import { assembleWorker } from "./assemble.ts";
import { WORDS } from "./words.ts";

const platform = workerPlatform(WORDS);
const worker = assembleWorker(platform);

onConnect(worker.connect);
onPauseKey(worker.pauseAll);
onSessionsAlarm(worker.checkSessions);
// Restoring is what there is to do; it began with `assembleWorker`.
onStart(() => undefined);
platform.prompts.listen();
