// `npm run rebuild:distributed`: makes the views anew, by the projection that runs on this data directory or without one.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { distDir, environmentOf, projectionPort } from './distributed/environment.mjs';

try {
  const env = { ...(await environmentOf(process.env)), ...projectionPort(process.env) };
  const child = spawn(process.execPath, [join(distDir, 'run', 'projection-rebuild.js')], { env, stdio: 'inherit' });
  child.once('exit', (code) => (process.exitCode = code ?? 1));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
