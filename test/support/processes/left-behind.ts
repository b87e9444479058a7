// A guard process ends the processes that this one started, and removes its directories, once this one is gone, even by
// `kill -9`.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * A shell in its own session, so that Ctrl-C does not end it. It reads what to clean up by line; its input ends with
 * the process that writes it. Servers are found by pid files below a directory. Every pid is the leader of its group.
 */
const script = `
groups=
while read -r what value; do
  case $what in
    group) groups="$groups $value" ;;
    ended) rest=; for group in $groups; do [ "$group" = "$value" ] || rest="$rest $group"; done; groups=$rest ;;
    directory) set -- "$@" "$value" ;;
  esac
done
for group in $groups; do kill -9 "-$group"; done
for directory in "$@"; do
  find "$directory" -maxdepth 3 -name pid -type f | while read -r file; do kill -9 "-$(head -n 1 "$file")"; done
  rm -rf "$directory" || { sleep 1; rm -rf "$directory"; }
done`;

let input: Writable | undefined;

function notifyGuard(what: 'group' | 'ended' | 'directory', value: number | string): void {
  input ??= startGuard();
  input.write(`${what} ${value}\n`);
}

/** Neither the guard nor its input keeps this process alive. */
function startGuard(): Writable {
  const guard = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  (guard.stdin as Writable & { unref?(): void }).unref?.();
  guard.stdin.on('error', () => undefined);
  return guard.stdin;
}

/** Ends the process group of `child`, which must be started detached, unless it has ended before. */
export function endLater<Started extends ChildProcess>(child: Started): Started {
  const { pid } = child;
  if (pid === undefined) return child;
  notifyGuard('group', pid);
  child.once('exit', () => notifyGuard('ended', pid));
  return child;
}

/** Also ends the servers whose pid files are in the directory. */
export function removeLater(directory: string): string {
  notifyGuard('directory', directory);
  return directory;
}

const lookEveryMs = 500;

/** Exits once npm is gone, if npm started this process. A process started by hand can outlive its shell. */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const exitIfOrphaned = (): void => {
    if (process.ppid !== parent) process.exit(1);
  };
  setInterval(exitIfOrphaned, lookEveryMs).unref();
}
