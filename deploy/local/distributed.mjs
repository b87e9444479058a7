// `npm run start:distributed`: runs every app as processes on this machine, with the configured Kafka and MongoDB.
import { join } from 'node:path';
import { distDir, environmentOf } from './distributed/environment.mjs';
import { openLog } from './distributed/merged-log.mjs';
import { NotedProjections } from './distributed/projections.mjs';
import { apps, parseScale } from './distributed/scale.mjs';
import { Supervised } from './distributed/supervised.mjs';

/** An app's own limit is 4.5 s; Ctrl-C must complete in 5 s, of which the rest of the log can take 0.3 s. */
const killAfterMs = 4_600;

const outputs = await openLog();
const noted = new NotedProjections(process.env);
const running = [];
let stopping;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));

try {
  const scale = parseScale(process.env.SCALE);
  const environment = await environmentOf(process.env);
  const failed = Promise.withResolvers();
  await Promise.race([startAll(scale, environment, failed.reject), failed.promise]);
  for (const supervised of running) supervised.keep();
} catch (error) {
  outputs.stderr.write(`${error.message}\n`);
  await stop(1);
}

async function startAll(scale, environment, failed) {
  const start = (supervised) => {
    running.push(supervised);
    return supervised.start(failed);
  };
  const workers = apps.filter((app) => app !== 'gateway').flatMap((app) => instances(app, scale, environment));
  await Promise.all(workers.map(start));
  // One after the other: the first creates the API key that the others read.
  for (const gateway of instances('gateway', scale, environment)) if (stopping === undefined) await start(gateway);
}

/**
 * Gateways listen on PORT and the following ports; other apps on free ports that they report, since HEALTH_PORT is only
 * one.
 */
function instances(app, scale, env) {
  const count = scale.get(app);
  return Array.from({ length: count }, (_, i) => {
    const port = app === 'gateway' && i > 0 ? { PORT: String(Number(env.PORT || 3000) + i) } : {};
    const name = count === 1 ? app : `${app}.${i + 1}`;
    return new Supervised({
      name,
      entry: join(distDir, 'run', `${app}.js`),
      env: { ...env, ...port, HEALTH_PORT: '' },
      out: outputs.stdout,
      ...(app === 'projection' && { onReady: (url) => noted.note(name, url) }),
    });
  });
}

/** Stops all processes at once; exits with 1 unless all of them ended well. */
function stop(code) {
  stopping ??= Promise.all(running.map((supervised) => supervised.stop(killAfterMs))).then(async (well) => {
    noted.forget();
    await outputs.flush();
    process.exit(well.every(Boolean) ? code : 1);
  });
  return stopping;
}
