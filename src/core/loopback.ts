/**
 * Whether a host is this computer: `localhost` and its subdomains, 127.0.0.0/8, `[::1]`. The host must come from the URL
 * parser, which has put it into its one spelling. `localhost.` with its dot may be looked up elsewhere and is not loopback.
 *
 * @see Secure Contexts · 3.1 Is origin potentially trustworthy?
 */

const LOOPBACK = /^(?:(?:[a-z0-9_-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
