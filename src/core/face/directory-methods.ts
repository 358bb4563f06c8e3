/** Names of navra's own: methods of the directory face (a channel that names no server), one of every channel, and an address. */

/** Addresses all servers that the site is connected to, as one. No server can be called so. */
export const ALL_SERVERS = "*";

/** Lists servers this site is connected to: `{ servers: [{ name }], all }`, where `all` addresses them together. */
export const SERVERS_METHOD = "io.github.navra/servers";
/** Asks the person to connect servers; needs the person's own act. Takes `{ servers?: names }`, gives the same result. */
export const CONNECT_METHOD = "io.github.navra/connect";

/**
 * Sent by an agent's side after its port was lost and came back: `{ requestIds }`, everything it still waits for. What this
 * worker does not know of is answered as never sent, so that nobody waits for what nobody has.
 */
export const RESUMED_METHOD = "notifications/io.github.navra/resumed";
