// `npm run rebuild:distributed`: makes the views anew, by the projection that runs on this data directory or without one.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distDir, environmentOf, projectionFile } from './distributed/environment.mjs';

try {
  const env = { ...(await environmentOf(process.env)), ...runningProjection() };
  const child = spawn(process.execPath, [join(distDir, 'apps', 'projection', 'rebuild.js')], { env, stdio: 'inherit' });
  child.once('exit', (code) => (process.exitCode = code ?? 1));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Where it was started last; whether it still runs is asked there. */
function runningProjection() {
  if (process.env.HEALTH_PORT) return {};
  try {
    return { HEALTH_PORT: new URL(readFileSync(projectionFile(process.env), 'utf8')).port };
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}
