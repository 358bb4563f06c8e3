import browser from "webextension-polyfill";

void browser.devtools.panels.create("navra", "/icons/normal-16.png", "/src/ui/panel/index.html");
