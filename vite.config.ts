/**
 * One source, four outputs: `--mode chromium` and `--mode firefox` build the extension, `--mode agent` the transport for
 * agent authors, `--mode host` the native-messaging host. Browser differences of the manifest live here and nowhere else.
 */
import { crx } from "@crxjs/vite-plugin";
import { defineConfig, type UserConfig } from "vite";
import manifest from "./manifest.json" with { type: "json" };

const FIREFOX_ID = "navra@navra.dev";

// Pages that the manifest does not name.
const PAGES = { consent: "src/ui/consent/index.html", panel: "src/ui/panel/index.html" };

function firefoxManifest() {
  const {
    key: _key,
    minimum_chrome_version: _version,
    message_serialization: _form,
    background,
    ...rest
  } = structuredClone(manifest);
  return {
    ...rest,
    background: { scripts: [background.service_worker], type: "module" },
    browser_specific_settings: {
      gecko: { id: FIREFOX_ID, strict_min_version: "142.0", data_collection_permissions: { required: ["none"] } },
    },
  };
}

function extension(browser: "chromium" | "firefox"): UserConfig {
  const firefox = browser === "firefox";
  return {
    plugins: [
      crx({
        manifest: (firefox ? firefoxManifest() : manifest) as Parameters<typeof crx>[0]["manifest"],
        browser: firefox ? "firefox" : "chrome",
      }),
    ],
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: `dist/${browser}`,
      emptyOutDir: true,
      target: firefox ? "firefox142" : "chrome128",
      modulePreload: false,
      rollupOptions: { input: PAGES },
    },
  };
}

const agent: UserConfig = {
  publicDir: false,
  build: {
    outDir: "dist/agent",
    emptyOutDir: true,
    target: "es2022",
    minify: false,
    lib: { entry: "src/agent/transport.ts", formats: ["es"], fileName: () => "navra-agent.js" },
  },
};

/** One file that Node runs as it is, with nothing to install beside it. */
const host: UserConfig = {
  publicDir: false,
  define: { __NAVRA_VERSION__: JSON.stringify(manifest.version) },
  build: {
    outDir: "dist/host",
    emptyOutDir: true,
    target: "node20",
    minify: false,
    ssr: "src/host/main.ts",
    rollupOptions: { output: { format: "es", entryFileNames: "navra-host.mjs", banner: "#!/usr/bin/env node" } },
  },
};

export default defineConfig(({ mode }) => {
  if (mode === "agent") return agent;
  if (mode === "host") return host;
  if (mode === "chromium" || mode === "firefox") return extension(mode);
  throw new Error(`Unknown mode "${mode}". Use --mode chromium, firefox, agent or host (npm run build does all).`);
});
