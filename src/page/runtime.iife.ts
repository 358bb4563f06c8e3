import { REQUEST_EVENT } from "../bridge/handshake.ts";

addEventListener(REQUEST_EVENT, () => {});
