/**
 * A native-messaging host that does nothing: gives each message back, or writes as many characters as asked for, in parts
 * as long as navra's. What it takes is what the browser takes.
 */
const HEADER = 4;
let held = Buffer.alloc(0);

process.stdin.on("data", (bytes) => {
  held = Buffer.concat([held, bytes]);
  while (held.length >= HEADER && held.length >= HEADER + held.readUInt32LE(0)) {
    const end = HEADER + held.readUInt32LE(0);
    answer(JSON.parse(held.subarray(HEADER, end).toString()));
    held = held.subarray(end);
  }
});

function answer({ give = 0, part = 0, text }) {
  if (give === 0) say({ text, last: true });
  const line = 'The quick brown fox jumps over the lazy dog, "twice".\n';
  const whole = line.repeat(Math.ceil(give / line.length)).slice(0, give);
  for (let at = 0; at < give; at += part) say({ text: whole.slice(at, at + part), last: at + part >= give });
}

function say(message) {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(HEADER);
  head.writeUInt32LE(body.length);
  process.stdout.write(Buffer.concat([head, body]));
}
