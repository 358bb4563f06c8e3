/**
 * What exactly is started for an entry: program, arguments, folder and environment as values, never a command line. Windows
 * has one exception that cannot be avoided, because `.cmd` and `.bat` files only run through `cmd.exe`, which reads its
 * line by rules of its own: arguments that those rules could change are refused rather than quoted by hope.
 *
 * @see https://nodejs.org/api/child_process.html · Spawning .bat and .cmd files on Windows; CVE-2024-27980
 */
export type Platform = "linux" | "darwin" | "win32";

export interface SpawnRequest {
  readonly platform: Platform;
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The host's own environment. */
  readonly surroundings: Readonly<Record<string, string | undefined>>;
  /** `PATH` as it was in the terminal in which the entry was allowed. */
  readonly path: string;
  /** Values for the names that the entry lists. */
  readonly values: Readonly<Record<string, string>>;
}

export interface SpawnPlan {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Arguments are one finished line already. */
  readonly verbatim: boolean;
}

/** @throws Error with a sentence when `cmd.exe` could read an argument as something else. */
export function planSpawn(request: SpawnRequest): SpawnPlan {
  const { platform, program, args, cwd } = request;
  const env = environment(request);
  if (platform !== "win32" || !/\.(cmd|bat)$/i.test(program)) return { program, args, cwd, env, verbatim: false };
  const shell = `${env.SystemRoot ?? "C:\\Windows"}\\System32\\cmd.exe`;
  const line = [program, ...args].map(quoted).join(" ");
  // `/s` takes off exactly the outer quotes, so every argument keeps its own.
  return { program: shell, args: ["/d", "/v:off", "/s", "/c", `"${line}"`], cwd, env, verbatim: true };
}

/** What every program needs to find its home, its language and the network; nothing else of ours reaches a server. */
const INHERITED: Readonly<Record<"posix" | "win32", readonly string[]>> = {
  posix: ["HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"].concat(
    ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"],
    ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"],
  ),
  win32: ["APPDATA", "LOCALAPPDATA", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH", "TEMP", "TMP"].concat(
    ["SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT"],
    ["ProgramFiles", "ProgramFiles(x86)", "ProgramData", "PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS"],
  ),
};

function environment({ platform, surroundings, path, values }: SpawnRequest): Record<string, string> {
  const kept = INHERITED[platform === "win32" ? "win32" : "posix"].flatMap((name) => {
    const value = surroundings[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), ...values, PATH: path };
}

function quoted(argument: string): string {
  if (/["%\r\n\0]/.test(argument)) {
    throw new Error(
      'A .cmd or .bat file cannot be given an argument with ", % or a line end safely. Allow the program behind it, such as node.exe with its script.',
    );
  }
  return `"${argument.replace(/\\+$/, "$&$&")}"`;
}
