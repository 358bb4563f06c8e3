/** The dashboard: everything a person may look at and change, one page at a time. */
import { openDoor } from "../../platform/door.ts";
import { mount } from "../shared/mount.tsx";
import { Dashboard } from "./dashboard.tsx";
import { followRoute } from "./route.ts";

mount(<Dashboard client={openDoor("dashboard")} route={followRoute(new AbortController().signal)} />);
