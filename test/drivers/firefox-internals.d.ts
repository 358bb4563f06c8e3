/** The few names of Firefox's own code that the driver uses where it runs inside the browser. */
// biome-ignore lint/suspicious/noExplicitAny: Firefox's own code has no published types.
declare const Services: any;
// biome-ignore lint/suspicious/noExplicitAny: Firefox's own code has no published types.
declare const ChromeUtils: any;
// biome-ignore lint/suspicious/noExplicitAny: Firefox's own code has no published types.
declare const WebExtensionPolicy: any;
