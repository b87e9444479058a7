// Runs one process from start to end: configuration, engine, stages, start-up output, and its end by signals.
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { idBytes, idFromBytes } from '../domain/id.ts';
import { Metrics } from '../primitives/metrics/metrics.ts';
import { pagedRandomBytes } from '../primitives/random-bytes.ts';
import { families } from '../stages/loop/measuring/families.ts';
import type { StageSettings } from '../stages/loop/settings.ts';
import { AlertSender } from '../stages/loop/alerts/alerts.ts';
import type { StageModule } from '../stages/loop/strategy.ts';
import { boot } from './boot.ts';
import { serviceUrl } from './config/config.ts';
import { checkOpenFiles } from './config/open-files.ts';
import { makeDataDir } from './config/data-dir.ts';
import type { Config } from './config/config.ts';
import { explainFileError } from './shutdown/denied-error.ts';
import { Shutdown } from './shutdown/shutdown.ts';
import { boundHeapGrowth } from './heap.ts';
import type { Engine, Ports } from './engine.ts';
import { isTerminal } from './output/line-format.ts';
import { openOutputs } from './output/outputs.ts';

/** Runs until a signal or a failure ends the process; sets the exit code. */
export async function run<Configured extends Config>(
  engine: Engine<Configured>,
  stages: readonly StageModule[],
): Promise<void> {
  boundHeapGrowth();
  const outputs = openOutputs();
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, outputs.log);
  const shutdown = new Shutdown(logger, outputs);
  try {
    await checkOpenFiles();
    const config = engine.readConfig();
    const instanceId = idFromBytes('gw', pagedRandomBytes(idBytes));
    logger.info({ engine: engine.name, instanceId, ...engine.summary(config) }, 'starting');
    const requirements = { ports: new Set(stages.flatMap((stage) => stage.ports ?? [])), instanceId, logger };
    const isApi = stages.some(({ configure }) => configure !== undefined);
    if (isApi || requirements.ports.has('sandbox') || requirements.ports.has('packages'))
      await makeDataDir(config.dataDir);
    const ports = await engine.open(config, requirements);
    shutdown.setClose(() => ports.close());
    const settings = settingsOf({ config, ports, instanceId, logger, onFatal: (error) => shutdown.fatal(error) });
    const listen = { host: config.host, port: isApi ? config.port : engine.healthPort(config) };
    const started = await boot({ listen, ports, settings, stages, metricsToken: config.metricsToken });
    shutdown.setClose(() => started.close());
    const url = serviceUrl(config.host, started.port);
    logger.info({ health: `${url}/health` }, 'ready');
    process.send?.({ ready: url });
    // Node writes its compile cache only when a process exits normally: after a kill there would be none.
    flushCompileCache();
    if (isApi) outputs.stdout.write(welcomeText(config, isTerminal() ? started.invitation() : undefined));
  } catch (error) {
    shutdown.fatal(explainFileError(error));
  }
}

/** Next to the compiled program, where `vite build` writes it. */
const builtConsole = fileURLToPath(new URL('../../console', import.meta.url));

function settingsOf(parts: {
  config: Config;
  ports: Ports;
  instanceId: string;
  logger: Logger;
  onFatal: (error: unknown) => void;
}): StageSettings {
  const { config, ports, instanceId, logger, onFatal } = parts;
  const ambient = { now: Date.now, randomBytes: pagedRandomBytes };
  const onLost = (reason: string): void => logger.warn({ reason }, 'an alert was not reported');
  return {
    masterKey: ports.masterKey,
    ambient,
    publicUrl: config.publicUrl,
    endpointUrl: config.endpointUrl,
    trustedProxies: config.trustedProxies,
    consoleDir: builtConsole,
    dataDir: config.dataDir,
    instanceId,
    logger,
    retention: { days: config.retentionDays, bytes: ports.logBytes },
    checkpointMs: config.checkpointSeconds * 1_000,
    alerts: new AlertSender({ log: ports.log, ambient, onLost }),
    metrics: new Metrics({ leftOut: families.leftOut }),
    onFatal,
  };
}

/** `link`: only for a terminal, since anyone who has it can sign in. */
function welcomeText(config: Config, link: string | undefined): string {
  const url = serviceUrl(config.host, config.port);
  const keyFile = join(config.dataDir, 'api-key');
  const quoted = `'${keyFile.replaceAll("'", `'\\''`)}'`;
  const invitation = link === undefined ? '' : `Sign in to the console, once, within 10 minutes: ${link}\n`;
  return `
Wellspring is ready at ${url}
${invitation}The console is at this address, and the first API key, to sign in with, is in ${keyFile}

Try this:
  curl ${url}/health          # is every stage up?
  curl ${url}/openapi.json    # the API, as an OpenAPI document
  curl -H @- ${url}/v1/users/me <<< "Authorization: Bearer $(cat ${quoted})"    # who you are

`;
}
