/** Puts the panel into the developer tools. */
import { DOOR_PAGES } from "../../bridge/doors.ts";
import { addPanel } from "../../platform/devtools.ts";

void addPanel("navra", "/icons/normal-16.png", DOOR_PAGES.panel);
