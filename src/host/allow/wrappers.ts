/**
 * Programs that are not what runs: they start another one, or run a text that their arguments are. Pinning such a file pins
 * nothing. The list cannot be complete; what it misses is still shown to a person word for word before they say yes.
 */

/** Why a program of this name cannot be pinned, as a sentence with the remedy. */
export function wrapperProblem(name: string): string | undefined {
  if (STARTS_ANOTHER.has(name) || LOADERS.test(name)) {
    return `${name} starts another program. Name that program itself, by its full path.`;
  }
  if (RUNS_TEXT.has(name)) {
    return `${name} runs whatever its arguments or a project's files say. Give the program that comes of it, by its path.`;
  }
  return undefined;
}

/** The dynamic loader and emulators take a program as their argument. */
const LOADERS = /^(ld[-.].*so.*|qemu-.+)$/;

const STARTS_ANOTHER = wordSet(`
  env sudo doas su runuser setpriv pkexec gosu su-exec nohup setsid nice ionice chrt taskset prlimit timeout xargs exec
  command time stdbuf unbuffer flock tini dumb-init strace ltrace perf valgrind unshare nsenter chroot bwrap firejail proot
  fakeroot setarch linux32 linux64 systemd-run systemd-inhibit dbus-run-session dbus-launch ssh-agent xvfb-run faketime
  caffeinate arch launchctl open cmd start wscript cscript mshta rundll32 regsvr32 msiexec conhost forfiles pcalua explorer
  wsl ssh busybox toybox flatpak snap distrobox toolbox docker podman nerdctl limactl find parallel script screen tmux watch
  entr nodemon pm2 forever concurrently corepack volta nvm fnm asdf mise direnv conda mamba micromamba
`);

const RUNS_TEXT = wordSet(`
  make just task rake bundle mvn gradle gradlew ant sbt lein clojure clj mix cargo go nix nix-shell guix poetry pdm hatch rye
  pixi composer turbo nx vite-node esno electron awk gawk mawk nawk sed ed ex vi vim nvim view emacs emacsclient expect gdb
  lldb jshell jrunscript irb iex elixir erl ghci runghc git
`);

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
