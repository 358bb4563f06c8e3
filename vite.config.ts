/**
 * One source, four outputs: `--mode chromium` and `--mode firefox` build the extension, `--mode agent` the transport for
 * agent authors, `--mode host` the native-messaging host. Browser differences of the manifest live here and nowhere else.
 */
import { type CrxPlugin, crx } from "@crxjs/vite-plugin";
import { build, defineConfig, type UserConfig } from "vite";
import manifest from "./manifest.json" with { type: "json" };

type Browser = "chromium" | "firefox";

const TARGETS: Readonly<Record<Browser, string>> = { chromium: "chrome128", firefox: "firefox142" };

type Manifest = Parameters<typeof crx>[0]["manifest"];

const FIREFOX_ID = "navra@navra.dev";

// Pages that the manifest does not name.
const PAGES = { consent: "src/ui/consent/index.html", panel: "src/ui/panel/index.html" };

const { background: BACKGROUND, ...CHROMIUM_MANIFEST } = manifest;

function firefoxManifest() {
  const {
    key: _key,
    minimum_chrome_version: _version,
    message_serialization: _form,
    ...rest
  } = structuredClone(CHROMIUM_MANIFEST);
  return {
    ...rest,
    browser_specific_settings: {
      gecko: { id: FIREFOX_ID, strict_min_version: "142.0", data_collection_permissions: { required: ["none"] } },
    },
  };
}

/**
 * The worker as one plain script. As modules it would be some fifteen files, and Chromium keeps no compiled form of a
 * worker's modules: a sleeping worker answers sooner this way.
 */
function worker(browser: Browser): CrxPlugin {
  const file = "worker.js";
  const background = browser === "firefox" ? { scripts: [file] } : { service_worker: file };
  return {
    name: "navra-worker",
    // After crx(), which would write a loader of modules for a background that it knows.
    enforce: "post",
    async renderCrxManifest(manifest) {
      const source = await plainScript(BACKGROUND.service_worker, TARGETS[browser]);
      this.emitFile({ type: "asset", fileName: file, source });
      return Object.assign(manifest, { background });
    },
  };
}

async function plainScript(input: string, target: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    // Modules are strict; a plain script has to say so.
    build: { write: false, target, rollupOptions: { input, output: { format: "iife", strict: true } } },
  });
  if (!("output" in built)) throw new Error("The worker was not built.");
  return built.output[0].code;
}

function extension(browser: Browser): UserConfig {
  const firefox = browser === "firefox";
  return {
    plugins: [
      crx({
        manifest: (firefox ? firefoxManifest() : CHROMIUM_MANIFEST) as Manifest,
        browser: firefox ? "firefox" : "chrome",
      }),
      worker(browser),
    ],
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: `dist/${browser}`,
      emptyOutDir: true,
      target: TARGETS[browser],
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
