/** `npm run package`: the two packages people install, from the built folders. The same sources give the same bytes. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.ts";
import { zipFolder } from "./zip-folder.ts";

const PACKAGES = [
  { folder: "dist/chromium", file: "dist/navra-chromium.zip" },
  { folder: "dist/firefox", file: "dist/navra-firefox.xpi" },
];

for (const { folder, file } of PACKAGES) {
  const bytes = zipFolder(join(ROOT, folder));
  writeFileSync(join(ROOT, file), bytes);
  console.log(
    `${file}  ${(bytes.length / 1000).toFixed(1)} kB  sha256 ${createHash("sha256").update(bytes).digest("hex")}`,
  );
}
