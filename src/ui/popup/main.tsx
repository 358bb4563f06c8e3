import { render } from "preact";

render(<p>navra</p>, document.getElementById("root") as HTMLElement);
