// Ends the processes that this one started and removes its directories once this one is gone, however it ended, also by
// `kill -9`.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * A shell of its own session, so that no Ctrl-C ends it. It is told what there is line by line, and its input ends with the
 * process that tells it. Servers are found by the pid files below a directory; both they and what is told lead their group.
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

function tell(what: 'group' | 'ended' | 'directory', value: number | string): void {
  input ??= startGuard();
  input.write(`${what} ${value}\n`);
}

/** Keeps nobody waiting: neither the guard nor its input holds the process. */
function startGuard(): Writable {
  const guard = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  (guard.stdin as Writable & { unref?(): void }).unref?.();
  guard.stdin.on('error', () => undefined);
  return guard.stdin;
}

/** `child` was started detached, so it leads a group: all of that is ended, unless it has ended by itself before. */
export function endLater<Started extends ChildProcess>(child: Started): Started {
  const { pid } = child;
  if (pid === undefined) return child;
  tell('group', pid);
  child.once('exit', () => tell('ended', pid));
  return child;
}

/** With the servers whose pid files are in it. */
export function removeLater(directory: string): string {
  tell('directory', directory);
  return directory;
}

const lookEveryMs = 500;

/** npm waits for what it runs: without it nobody wants that any more. One that was started by hand may outlive its shell. */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const look = (): void => {
    if (process.ppid !== parent) process.exit(1);
  };
  setInterval(look, lookEveryMs).unref();
}
