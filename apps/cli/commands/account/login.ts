// `pd login`, `pd logout` and `pd whoami`.
import { text as read } from 'node:stream/consumers';
import type { User } from '../../../../libs/client/index.ts';
import { changeConfig, readConfig, withoutProfile, withProfile } from '../../config/config-file.ts';
import {
  validateApiKey,
  validateServiceUrl,
  defaultProfile,
  defaultUrl,
  isLoopback,
  readLocalKey,
  localUrl,
} from '../../config/connection.ts';
import { fields } from '../../output/layout/fields.ts';
import { plainLine } from '../../output/plain-text.ts';
import type { AddCommand } from '../../session/command.ts';
import { explain, isApiError, isForeignResponse, isUntrustedCertificate } from '../../failures/explain.ts';
import { exitCodes, Failure, usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { callerOf, lacksReadMessage } from './caller.ts';

interface LoginOptions {
  readonly url?: string;
  readonly local?: boolean;
}

const description = `Saves the URL and an API key of a service in a file that only you can read.

At a terminal it asks for both, and on the machine of the service it offers the service's own first key. Elsewhere the key is read from stdin:

    pd login --url https://events.example.com < key-file

A key without the scope \`read\`, such as an auditor's, can log in too: \`pd history\` works with the scope \`audit\`.`;

export const addLogin: AddCommand = (program, runner) => {
  program
    .command('login')
    .summary('save the URL and the key of a service')
    .description(description)
    .option('--url <url>', `URL of the service, such as ${defaultUrl}`)
    .option('--local', 'take the key of the service on this machine, from DATA_DIR/api-key; it listens on PORT')
    .action(runner.run(login));
  program
    .command('logout')
    .summary('forget the key of a service')
    .description('Removes the profile from the file that `pd login` wrote. The key itself stays valid.')
    .action(runner.run(logout));
  program
    .command('whoami')
    .summary('show whose key is used, and where')
    .description('Shows the user and workspace of the API key, and the URL of the service.')
    .action(runner.run(whoami));
};

async function login(session: Session, options: LoginOptions): Promise<void> {
  const { out, environment, profile } = session;
  const config = await readConfig(environment.configFile);
  const savedUrl = Object.hasOwn(config.profiles, profile) ? config.profiles[profile]?.url : undefined;
  const url = validateServiceUrl(options.url ?? environment.url ?? (await chooseUrl(session, options, savedUrl)));
  if (url.startsWith('http:') && !isLoopback(url))
    out.warn(`the key will travel unencrypted to ${url}: use https where you can`);
  const apiKey = options.local === true ? requireLocalKey(session) : await askKey(session, url);
  if (apiKey === '') throw usageFailure('No API key was given.', noKeyHint);
  const client = await session.client({ url, apiKey: validateApiKey(apiKey) });
  const user = await callerOf(client).catch(explainUnreachable(url));
  await changeConfig(environment.configFile, (now) => withProfile(now, profile, { url, api_key: apiKey }));
  out.printResult(
    { ...user, url, profile },
    () => `Logged in${user === undefined ? '' : ` as ${nameOf(user)}`} at ${url}`,
  );
  if (user === undefined) out.warn(`${lacksReadMessage}: most commands will be refused`);
}

/** The hint names the URL, because nothing is saved yet from which `pd doctor` could show it. */
const explainUnreachable =
  (url: string) =>
  (error: unknown): never => {
    if (!isApiError(error) || isUntrustedCertificate(error) || (error.status !== null && !isForeignResponse(error)))
      throw error;
    throw new Failure(explain(error).message, exitCodes.failed, `Is it running at ${url}? --url names another one.`);
  };

/** PORT can be another program's: without `--local` a saved URL wins, so that its key does not go elsewhere. */
async function chooseUrl(
  session: Session,
  { local = false }: LoginOptions,
  savedUrl: string | undefined,
): Promise<string> {
  const machineUrl = localUrl(session.environment);
  if (local && session.environment.port !== undefined) return machineUrl;
  const initial = savedUrl ?? machineUrl;
  if (!session.canAsk) return initial;
  const prompts = await session.prompts('There is no URL.', 'Give it by --url.');
  return prompts.text({ message: 'URL of the service', initial });
}

const noKeyHint =
  'Write it to stdin, run `pd login` at a terminal, or take the key of the service on this machine: --local.';

async function askKey(session: Session, url: string): Promise<string> {
  const { stdin } = session.io;
  if (!session.canAsk) return stdin.isTTY === true ? '' : (await read(stdin)).trim();
  const prompts = await session.prompts('There is no API key.', 'Write it to stdin.');
  const local = isLoopback(url) ? readLocalKey(session.environment) : undefined;
  if (local !== undefined && (await prompts.confirm(`Use the key of the service on this machine (${local.path})?`)))
    return local.apiKey;
  return (await prompts.secret({ message: 'API key' })).trim();
}

function requireLocalKey({ environment }: Session): string {
  const local = readLocalKey(environment);
  if (local !== undefined) return local.apiKey;
  throw new Failure(
    `There is no key to be read at ${environment.dataDir}/api-key.`,
    exitCodes.unauthorized,
    'Set DATA_DIR to the data directory of the service.',
  );
}

async function logout({ out, environment, profile }: Session): Promise<void> {
  const config = await readConfig(environment.configFile);
  if (!Object.hasOwn(config.profiles, profile)) {
    out.note(profile === defaultProfile ? 'You were not logged in.' : `There is no profile "${profile}".`);
    return;
  }
  await changeConfig(environment.configFile, (now) => withoutProfile(now, profile));
  out.note(profile === defaultProfile ? 'Logged out.' : `Logged out of "${profile}".`);
  if (environment.apiKey !== undefined) out.note('PD_API_KEY is still set, and is used.');
}

async function whoami(session: Session): Promise<void> {
  const { out, profile } = session;
  const connection = await session.connection();
  const user = await callerOf(await session.client(connection));
  const [org] = user?.orgs ?? [];
  if (user === undefined) out.warn(lacksReadMessage);
  out.printResult({ ...user, url: connection.url, profile }, () =>
    fields(
      [
        ['user', user === undefined ? null : nameOf(user)],
        ['id', user?.id],
        ['workspace', org === undefined ? null : plainLine(`${org.name} (${org.id})`)],
        ['url', connection.url],
        ['profile', session.environment.apiKey === undefined ? profile : null],
      ],
      out.style,
    ),
  );
}

const nameOf = ({ username, email }: User): string =>
  email === '' ? plainLine(username) : `${plainLine(username)} (${plainLine(email)})`;
