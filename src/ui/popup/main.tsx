/** The popup: what waits, this site's switch, servers, rules and calls. `?tabId=N` shows it for another tab. */
import { openDoor } from "../../platform/door.ts";
import { shownTab } from "../../platform/tabs.ts";
import { mount } from "../shared/mount.tsx";
import { Popup } from "./popup.tsx";

const client = openDoor("popup");
const tabId = await shownTab();
mount(<Popup client={client} tabId={tabId ?? -1} />);
