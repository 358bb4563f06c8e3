/**
 * Our icons as data, on a 16 px grid: a string is a path, an object is another shape or a path with more attributes. Data
 * and not a sprite file, so that an icon is there with the first paint and nothing is ever fetched for it.
 */
export type Shape = string | Readonly<Record<string, string>>;
export type IconShapes = readonly Shape[] | { readonly filled: true; readonly shapes: readonly Shape[] };

export const ICON_SHAPES = {
  allow: ["M3 8.5 6.5 12 13 4.5"],
  ask: [
    "M8 1.4 14.6 8 8 14.6 1.4 8z",
    "M6.3 6.7A1.75 1.75 0 1 1 8.7 8.3c-.5.25-.7.5-.7 1",
    { d: "M8 11.2v.01", "stroke-width": "1.8" },
  ],
  unknown: [
    "M8 1.75a6.25 6.25 0 0 1 3.8 1.3M14.1 6.7a6.25 6.25 0 0 1-.8 4.6M10.7 13.6a6.25 6.25 0 0 1-4.7.3M2.8 11.5a6.25 6.25 0 0 1-.9-4.8M4 3.2a6 6 0 0 1 .7-.5",
    "M5 8.6c1-1.6 2-1.6 3-.6s2 1 3-.6",
  ],
  audit: [{ d: "M2.5 2.5h11v11h-11z", "stroke-dasharray": "2.5 2" }, "M5.5 6.5h5M5.5 9.5h3"],
  run: ["M8 1.75A6.25 6.25 0 1 1 1.75 8"],
  wait: ["M4 1.75h8M4 14.25h8M5 1.75v2.5L8 8l3-3.75v-2.5M5 14.25v-2.5L8 8l3 3.75v2.5"],
  home: ["M2 14h12M3.5 11V8M6.5 11V4M9.5 11V6M12.5 11V2.5"],
  server: [
    { tag: "rect", x: "2", y: "2.5", width: "12", height: "4.5", rx: "1" },
    { tag: "rect", x: "2", y: "9", width: "12", height: "4.5", rx: "1" },
    { d: "M4.5 4.75h.01M4.5 11.25h.01", "stroke-width": "1.8" },
  ],
  computer: [{ tag: "rect", x: "1.75", y: "2.75", width: "12.5", height: "8.5", rx: "1" }, "M5.5 14h5M8 11.5V14"],
  site: [
    { tag: "circle", cx: "8", cy: "8", r: "6.25" },
    "M1.75 8h12.5M8 1.75c-4 4-4 8.5 0 12.5M8 1.75c4 4 4 8.5 0 12.5",
  ],
  rules: ["M6.5 3.5H14M6.5 8H14M6.5 12.5H14M2 3.5l1 1 1.5-2M2 8h2M2 11.5l2 2M4 11.5l-2 2"],
  hand: [
    "M5 8.5V4a1 1 0 0 1 2 0v3.5V2.75a1 1 0 0 1 2 0V7.5 3.5a1 1 0 0 1 2 0V8.5 5.5a1 1 0 0 1 2 0V10c0 2.5-1.7 4.25-4.2 4.25-2 0-3-.85-4-2.45L2.6 9.1c-.7-1.2.8-2 1.6-1.1z",
  ],
  records: ["M3 1.75h10v12.5H3zM5.5 5h5M5.5 8h5M5.5 11h3"],
  flow: [
    { tag: "circle", cx: "3", cy: "3.5", r: "1.5" },
    { tag: "circle", cx: "3", cy: "12.5", r: "1.5" },
    { tag: "circle", cx: "13", cy: "8", r: "1.5" },
    "M4.5 3.5H6c3 0 2 4.5 5.5 4.5M4.5 12.5H6C9 12.5 8 8 11.5 8",
  ],
  settings: [
    "M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6",
    { tag: "circle", cx: "10", cy: "4.5", r: "2" },
    { tag: "circle", cx: "6", cy: "11.5", r: "2" },
  ],
  tool: [
    "M9.7 4.1a3.2 3.2 0 0 1 3.9-1.9L11.5 4.3l.2 1.9 1.9.2 2-2.1",
    "M13.9 6.5A3.3 3.3 0 0 1 9.6 8L5 12.8a1.6 1.6 0 0 1-2.3-2.3L7.6 6",
  ],
  book: ["M8 4C6.5 2.8 4.5 2.5 2 2.5V12.5c2.5 0 4.5.3 6 1.5 1.5-1.2 3.5-1.5 6-1.5V2.5c-2.5 0-4.5.3-6 1.5zM8 4v10"],
  quote: ["M2 3h12v8H8l-3 3v-3H2z"],
  form: [{ tag: "rect", x: "1.75", y: "2.75", width: "12.5", height: "10.5", rx: "1" }, "M4.5 6.25h3M4.5 9.75h7"],
  key: [{ tag: "circle", cx: "5", cy: "11", r: "3" }, "M7.2 8.8 13.5 2.5M11 5l2 2"],
  lock: [{ tag: "rect", x: "3", y: "7", width: "10", height: "7", rx: "1" }, "M5 7V5a3 3 0 0 1 6 0v2"],
  person: [{ tag: "circle", cx: "8", cy: "5", r: "3" }, "M2.5 14c.5-3 2.5-4.5 5.5-4.5s5 1.5 5.5 4.5"],
  outside: ["M9 2.5H2.5v11H9M14 8H6M9 5 6 8l3 3"],
  sendout: ["M7 2.5h6.5v11H7M2 8h8M7 5l3 3-3 3"],
  read: [
    "M1.5 8s2.3-4.5 6.5-4.5S14.5 8 14.5 8 12.2 12.5 8 12.5 1.5 8 1.5 8z",
    { tag: "circle", cx: "8", cy: "8", r: "2" },
  ],
  hide: [
    "M3.5 5.3C2.2 6.5 1.5 8 1.5 8s2.3 4.5 6.5 4.5c1.2 0 2.2-.3 3.1-.8M6.5 3.7C7 3.6 7.5 3.5 8 3.5c4.2 0 6.5 4.5 6.5 4.5s-.5 1-1.5 2.1M2.5 2.5l11 11",
  ],
  edit: ["M2.5 13.5 3.3 10 10.5 2.8l2.7 2.7L6 12.7zM9 4.3 11.7 7"],
  trash: ["M2.5 4.5h11M6 4.5V2.5h4v2M4 4.5l.7 9.25h6.6L12 4.5M6.7 7v4.5M9.3 7v4.5"],
  close: ["m3.5 3.5 9 9M12.5 3.5l-9 9"],
  down: ["m4 6 4 4 4-4"],
  up: ["m4 10 4-4 4 4"],
  right: ["m6 4 4 4-4 4"],
  left: ["m10 4-4 4 4 4"],
  plus: ["M8 3v10M3 8h10"],
  minus: ["M3 8h10"],
  more: [{ d: "M3.5 8h.01M8 8h.01M12.5 8h.01", "stroke-width": "2.2" }],
  search: [{ tag: "circle", cx: "7", cy: "7", r: "4.5" }, "m10.5 10.5 3.5 3.5"],
  filter: ["M1.75 3h12.5L9.5 8.75V13l-3 1V8.75z"],
  clear: [{ tag: "circle", cx: "8", cy: "8", r: "6" }, "m3.8 3.8 8.4 8.4"],
  copy: [{ tag: "rect", x: "5.5", y: "5.5", width: "8.5", height: "8.5", rx: "1" }, "M3.5 10.5H2v-8.5h8.5v1.5"],
  download: ["M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11"],
  upload: ["M8 10.5v-8M4.5 5.5 8 2l3.5 3.5M2.5 13.5h11"],
  pin: ["M5.5 2h5M6.5 2v4.5L4 9.5h8L9.5 6.5V2M8 9.5V14.5"],
  replay: ["M3 4.5A6 6 0 1 1 2 8M3 1.5v3h3"],
  refresh: ["M13.5 6A6 6 0 0 0 3 4.5M2.5 10A6 6 0 0 0 13 11.5M3 1.5v3h3M13 14.5v-3h-3"],
  compare: ["M8 1.5v13M2 4h3.5M2 7.5h3.5M2 11h2M10.5 4H14M12 7.5h2M10.5 11H14"],
  clock: [{ tag: "circle", cx: "8", cy: "8", r: "6.25" }, "M8 4.5V8l2.5 1.75"],
  link: ["M6.5 9.5 9.5 6.5M7 4.5l1.7-1.7a3.1 3.1 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.7 1.7a3.1 3.1 0 0 1-4.5-4.5L4.5 7"],
  unlink: [
    "M7 4.5l1.7-1.7a3.1 3.1 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.7 1.7a3.1 3.1 0 0 1-4.5-4.5L4.5 7M2 2l2 2M14 14l-2-2",
  ],
  seal: [{ tag: "circle", cx: "8", cy: "6.5", r: "4.5" }, "m5.5 10.5-1.5 4 4-1.5 4 1.5-1.5-4M6.2 6.5l1.3 1.3 2.3-2.6"],
  warn: ["M8 2 1.5 13.5h13zM8 6.5v3.5", { d: "M8 11.8v.01", "stroke-width": "1.7" }],
  info: [{ tag: "circle", cx: "8", cy: "8", r: "6.25" }, "M8 7.5v4", { d: "M8 4.9v.01", "stroke-width": "1.7" }],
  help: [
    { tag: "circle", cx: "8", cy: "8", r: "6.25" },
    "M6.2 6.4a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.2",
    { d: "M8 11.5v.01", "stroke-width": "1.7" },
  ],
  keyboard: [
    { tag: "rect", x: "1.25", y: "3.5", width: "13.5", height: "9", rx: "1" },
    "M4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.7h6",
  ],
  panel: [{ tag: "rect", x: "1.75", y: "2.5", width: "12.5", height: "11", rx: "1" }, "M1.75 9h12.5"],
  window: [{ tag: "rect", x: "1.75", y: "2.5", width: "12.5", height: "11", rx: "1" }, "M1.75 5.5h12.5"],
  external: ["M6.5 3H2.5v10.5H13V9.5M9.5 2.5h4v4M13 3 7.5 8.5"],
  arrow: ["M2 8h11.5M9.5 4l4 4-4 4"],
  back: ["M14 8H2.5M6.5 4l-4 4 4 4"],
  hiddenchar: ["M3 3h2.5M10.5 3H13v2.5M13 10.5V13h-2.5M5.5 13H3v-2.5M3 5.5V3M6 6l4 4M10 6l-4 4"],
  twin: [
    { tag: "circle", cx: "5.5", cy: "8", r: "3.75" },
    { d: "M8.7 5.2a3.75 3.75 0 1 1 0 5.6", "stroke-dasharray": "2 1.5" },
  ],
  scale: ["M2.5 13.5v-3M6.2 13.5v-6M9.8 13.5V5M13.5 13.5v-11"],
  plug: ["M5.5 1.75v3.5M10.5 1.75v3.5M3.5 5.25h9v2.5a4.5 4.5 0 0 1-9 0zM8 12.25v2.5"],
  undo: ["M3 6.5h7a3.5 3.5 0 0 1 0 7H6M5.5 3.5l-3 3 3 3"],
  sliders: ["M4 2v4M4 10v4M8 2v7M8 13v1M12 2v1M12 7v7M2.5 8h3M6.5 11h3M10.5 5h3"],
  deny: {
    filled: true,
    shapes: ["M5.2 1.25h5.6l3.95 3.95v5.6l-3.95 3.95H5.2L1.25 10.8V5.2z", { d: "M4.5 7h7v2h-7z", class: "i-cut" }],
  },
  pause: { filled: true, shapes: ["M4 3h3v10H4zM9 3h3v10H9z"] },
  play: { filled: true, shapes: ["M4.5 2.5v11L13 8z"] },
  record: { filled: true, shapes: [{ tag: "circle", cx: "8", cy: "8", r: "5" }] },
  stop: { filled: true, shapes: ["M3.5 3.5h9v9h-9z"] },
  grip: { filled: true, shapes: ["M5 3h2v2H5zM9 3h2v2H9zM5 7h2v2H5zM9 7h2v2H9zM5 11h2v2H5zM9 11h2v2H9z"] },
  ok: { filled: true, shapes: [{ tag: "circle", cx: "8", cy: "8", r: "4" }] },
  half: {
    filled: true,
    shapes: [
      "M8 4a4 4 0 0 1 0 8z",
      "M8 3.25a4.75 4.75 0 1 0 0 9.5 4.75 4.75 0 0 0 0-9.5zm0 1.5a3.25 3.25 0 1 1 0 6.5 3.25 3.25 0 0 1 0-6.5z",
    ],
  },
  off: {
    filled: true,
    shapes: ["M8 3.25a4.75 4.75 0 1 0 0 9.5 4.75 4.75 0 0 0 0-9.5zm0 1.5a3.25 3.25 0 1 1 0 6.5 3.25 3.25 0 0 1 0-6.5z"],
  },
  gate: {
    filled: true,
    shapes: [
      "M1 1h6.5A7.5 7.5 0 0 1 15 8.5V15h-3V8.5A4.5 4.5 0 0 0 7.5 4H4v11H1z",
      { tag: "circle", cx: "8", cy: "11", r: "2" },
    ],
  },
  gateopen: { filled: true, shapes: ["M1 1h6.5A7.5 7.5 0 0 1 15 8.5V15h-3V8.5A4.5 4.5 0 0 0 7.5 4H4v11H1z"] },
  gatepause: {
    filled: true,
    shapes: [
      { "fill-rule": "evenodd", d: "M1 1h6.5A7.5 7.5 0 0 1 15 8.5V15H1zM4.5 5.5v6.5H7V5.5zM9 5.5v6.5h2.5V5.5z" },
    ],
  },
  gateshut: {
    filled: true,
    shapes: [{ "fill-rule": "evenodd", d: "M1 1h6.5A7.5 7.5 0 0 1 15 8.5V15H1zM4 7.5v2.5h8V7.5z" }],
  },
  gateask: {
    filled: true,
    shapes: [
      { "fill-rule": "evenodd", d: "M1 1h6.5A7.5 7.5 0 0 1 15 8.5V15H1zM6.75 4v5.25h2.5V4zM6.75 10.5V13h2.5v-2.5z" },
    ],
  },
} as const satisfies Record<string, IconShapes>;

export type IconName = keyof typeof ICON_SHAPES;
