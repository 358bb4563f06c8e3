/** The line of the log by which `doctor` knows, without a browser, which version of the extension spoke last. */

export function saidHello(version: string): string {
  return `Hello from navra ${VERSION.test(version) ? version : "of no known version"}.`;
}

/** The version of the last such line. */
export function lastHello(lines: readonly string[]): string | undefined {
  return lines.map((line) => LINE.exec(line)?.[1]).findLast((version) => version !== undefined);
}

const VERSION = /^[0-9A-Za-z.+-]{1,40}$/;
const LINE = /\] Hello from navra ([0-9A-Za-z.+-]{1,40})\.$/;
