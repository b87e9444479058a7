// The environment variables of `pd`, each with its meaning: docs/cli.md lists them.
import { homedir } from 'node:os';
import { join } from 'node:path';

export const environmentVariables = {
  PD_API_KEY: 'the API key, in place of the one that `pd login` saved',
  PD_URL: 'the URL of the service, in place of the one that `pd login` saved',
  PD_PROFILE: 'the profile, as `--profile`',
  XDG_CONFIG_HOME: 'where the file of `pd login` is kept, in `wellspring/config.json`; `~/.config` by default',
  DATA_DIR: 'the data directory of a service on this machine, whose key `pd login` offers; `./data` by default',
  PORT: 'the port of a service on this machine, where no URL is given or saved, and for `pd login --local`; 3000 by default',
  NO_COLOR: 'if it is set and not empty: no colours',
} as const;

export interface Environment {
  readonly apiKey: string | undefined;
  readonly url: string | undefined;
  readonly profile: string | undefined;
  readonly configFile: string;
  readonly dataDir: string;
  readonly port: string | undefined;
  /** Whether a terminal gets colours. */
  readonly color: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as absent. */
export function readEnvironment(variables: Variables): Environment {
  const value = (name: keyof typeof environmentVariables | 'TERM'): string | undefined => variables[name] || undefined;
  return {
    apiKey: value('PD_API_KEY'),
    url: value('PD_URL'),
    profile: value('PD_PROFILE'),
    configFile: join(value('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'wellspring', 'config.json'),
    dataDir: value('DATA_DIR') ?? 'data',
    port: value('PORT'),
    color: value('NO_COLOR') === undefined && value('TERM') !== 'dumb',
  };
}
