/** JSON-RPC methods of navra's own face (a channel that names no server). */

/** Lists servers this site is connected to: `{ servers: [{ name }] }`. */
export const SERVERS_METHOD = "io.github.navra/servers";
/** Asks the person to connect servers; needs the person's own act. Takes `{ servers?: names }`, gives the same result. */
export const CONNECT_METHOD = "io.github.navra/connect";
