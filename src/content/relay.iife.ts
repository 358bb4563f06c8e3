import { TO_RELAY } from "../bridge/handshake.ts";

addEventListener(TO_RELAY, () => {});
