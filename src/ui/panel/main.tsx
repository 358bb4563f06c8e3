/** The devtools panel: what agents of this tab call, live, and why navra let it through or not. */

import { inspectedTab } from "../../platform/devtools.ts";
import { openDoor } from "../../platform/door.ts";
import { mount } from "../shared/mount.tsx";
import { Panel } from "./panel.tsx";

mount(<Panel client={openDoor("panel")} tabId={inspectedTab()} />);
