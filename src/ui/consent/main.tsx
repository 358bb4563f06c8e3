/** The approval window: one window for one approval, named by `?id=` in its address. */
import { openDoor } from "../../platform/door.ts";
import { mount } from "../shared/mount.tsx";
import { ConsentWindow } from "./consent-window.tsx";

const id = new URLSearchParams(location.search).get("id") ?? "";
mount(<ConsentWindow client={openDoor("consent")} id={id} />);
