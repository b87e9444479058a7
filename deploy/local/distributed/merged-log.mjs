// Merges the logs of several processes into a readable one, in which each line has the name of its process.
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pretty from 'pino-pretty';
import { distDir } from './environment.mjs';

const colorize = process.stdout.isTTY === true;

const format = pretty.prettyFactory({
  colorize,
  singleLine: true,
  translateTime: 'SYS:HH:MM:ss.l',
  ignore: 'pid,app',
  messageFormat: '{app} | {msg}',
});

/** Opens the launcher's own stdout and stderr, which do not wait for readers either. */
export async function openLog() {
  const { openOutputs } = await import(join(distDir, 'libs', 'engines', 'output', 'outputs.js'));
  return openOutputs((dropped) => line(`${dropped} lines were dropped: nobody read them in time`, { level: 40 }));
}

/** Text that is not a log line is for people: from stdout it is passed on unchanged, from stderr with the name. */
export function mergeInto(out, app, { stdout, stderr }) {
  createInterface({ input: stdout }).on('line', (line) => out.write(readable(app, line) ?? `${line}\n`));
  createInterface({ input: stderr }).on('line', (line) => out.write(readable(app, line) ?? `${app} | ${line}\n`));
}

/** Writes a line of the launcher itself. */
export function tell(out, msg, details = {}) {
  out.write(line(msg, details));
}

const line = (msg, details) => format({ level: 30, time: Date.now(), app: 'launcher', msg, ...details });

function readable(app, line) {
  if (!line.startsWith('{')) return undefined;
  try {
    return format({ ...JSON.parse(line), app });
  } catch {
    return undefined;
  }
}
