import { defineConfig } from "vitest/config";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: ["test/e2e/**", "**/node_modules/**"],
    testTimeout: 120_000,
  },
});
