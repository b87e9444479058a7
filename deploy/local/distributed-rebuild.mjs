// `npm run rebuild:distributed`: rebuilds the views, through the projection that runs on this data directory or without
// one.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { distDir, environmentOf } from './distributed/environment.mjs';
import { projectionPort } from './distributed/projections.mjs';

try {
  const env = { ...(await environmentOf(process.env)), ...(await projectionPort(process.env)) };
  const child = spawn(process.execPath, [join(distDir, 'run', 'projection-rebuild.js')], { env, stdio: 'inherit' });
  child.once('exit', (code) => (process.exitCode = code ?? 1));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
