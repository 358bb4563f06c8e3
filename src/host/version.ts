/** navra's version, written in by the build; a host that runs from its sources says so. */
declare const __NAVRA_VERSION__: string | undefined;

export const VERSION = typeof __NAVRA_VERSION__ === "string" ? __NAVRA_VERSION__ : "0.0.0-source";
