// One process from start to end: configuration, engine, stages, what it tells at start, and how signals end it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { idBytes, idFromBytes } from '../domain/id.ts';
import type { StageModule } from '../stages/loop/strategy.ts';
import { boot } from './boot.ts';
import { configSummary, readConfig } from './config.ts';
import type { Config } from './config.ts';
import { End } from './end.ts';
import type { Engine, Ports } from './engine.ts';

/** Runs until a signal or a failure ends the process; sets the exit code. */
export async function run(engine: Engine, stages: readonly StageModule[]): Promise<void> {
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime });
  const end = new End(logger);
  try {
    const config = readConfig();
    logger.info({ engine: engine.name, ...configSummary(config) }, 'starting');
    const ports = await engine.open(config, logger);
    end.closeWith(() => ports.close());
    const settings = settingsOf({ config, ports, logger, onFatal: (error) => end.fatal(error) });
    const booted = await boot({ config, ports, settings, stages });
    end.closeWith(() => booted.close());
    process.stdout.write(welcome(config));
  } catch (error) {
    end.fatal(error);
  }
}

function settingsOf(of: { config: Config; ports: Ports; logger: Logger; onFatal: (error: unknown) => void }) {
  return {
    masterKey: of.ports.masterKey,
    ambient: { now: Date.now, randomBytes },
    publicUrl: of.config.publicUrl,
    dataDir: of.config.dataDir,
    instanceId: idFromBytes('gw', randomBytes(idBytes)),
    logger: of.logger,
    onFatal: of.onFatal,
  };
}

function welcome(config: Config): string {
  const url = `http://${config.host}:${config.port}`;
  const keyFile = join(config.dataDir, 'api-key');
  return `
Wellspring is ready at ${url}
The first API key is in ${keyFile}

Try this:
  curl ${url}/health
  curl ${url}/openapi.json
  curl -H @- ${url}/v1/users/me <<< "Authorization: Bearer $(cat '${keyFile}')"

`;
}
