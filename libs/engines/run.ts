// One process from start to end: configuration, engine, stages, what it tells at start, and how signals end it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { idBytes, idFromBytes } from '../domain/id.ts';
import { PortError } from '../domain/port-error.ts';
import { WrongMasterKeyError } from '../domain/secrets/keyring.ts';
import type { StageModule } from '../stages/loop/strategy.ts';
import { boot } from './boot.ts';
import { ConfigError, configSummary, readConfig } from './config.ts';
import type { Config } from './config.ts';
import type { Engine, Ports } from './engine.ts';

/** Ctrl-C must be over in 5 s, however a stage hangs. */
const closeMaxMs = 4_500;

/** Runs until a signal or a failure ends the process; sets the exit code. */
export async function run(engine: Engine, stages: readonly StageModule[]): Promise<void> {
  const logger = pino({ base: { pid: process.pid } });
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

/** The one way out: closes once, within its time, and says with the exit code how it went. */
class End {
  readonly #logger: Logger;
  #close: () => Promise<void> = () => Promise.resolve();
  #ending = false;

  constructor(logger: Logger) {
    this.#logger = logger;
    process.on('SIGINT', () => this.#signal('SIGINT'));
    process.on('SIGTERM', () => this.#signal('SIGTERM'));
    process.on('uncaughtException', (error) => this.fatal(error));
    process.on('unhandledRejection', (error) => this.fatal(error));
  }

  closeWith(close: () => Promise<void>): void {
    this.#close = close;
  }

  fatal(error: unknown): void {
    if (isForPeople(error)) process.stderr.write(`${error.message}\n`);
    else this.#logger.fatal({ err: error }, 'cannot go on');
    void this.#end(1);
  }

  #signal(signal: string): void {
    this.#logger.info({ signal }, 'stopping');
    void this.#end(0);
  }

  async #end(code: number): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    const late = setTimeout(() => {
      this.#logger.error({ closeMaxMs }, 'what runs did not end in time: it is repeated at the next start');
      process.exit(1);
    }, closeMaxMs);
    try {
      await this.#close();
      process.exitCode = code;
    } catch (error) {
      this.#logger.error({ err: error }, 'closing failed');
      process.exitCode = 1;
    }
    clearTimeout(late);
    process.exit();
  }
}

/** Their message says all that a person needs to do something about it. */
function isForPeople(error: unknown): error is Error {
  if (error instanceof PortError || error instanceof ConfigError || error instanceof WrongMasterKeyError) return true;
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
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
