import browser from "webextension-polyfill";

browser.runtime.onConnect.addListener((port) => port.disconnect());
