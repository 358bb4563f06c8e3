/** Milliseconds that this process worked for it: what it costs, not what the clock on the wall says of a busy machine. */
export function spentMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
}
