// Chooses the service's URL and the key of a command: options first, then the environment, then the profile.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import { exitCodes, Failure, usageFailure } from '../failures/failure.ts';
import type { Config } from './config-file.ts';

/** The address of `npm start`. */
export const defaultUrl = 'http://127.0.0.1:3000';
/** The address of a service on this machine. */
export const localUrl = ({ port }: Environment): string =>
  port === undefined ? defaultUrl : `http://127.0.0.1:${port}`;

export const defaultProfile = 'default';

export interface Connection {
  readonly url: string;
  readonly apiKey: string;
}

export const profileName = (option: string | undefined, { profile }: Environment): string =>
  option ?? profile ?? defaultProfile;

export function connectionOf(config: Config, name: string, environment: Environment): Connection {
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  const url = validateServiceUrl(environment.url ?? profile?.url ?? localUrl(environment));
  const apiKey = environment.apiKey ?? profile?.api_key;
  if (apiKey === undefined) throw noKeyFailure(config, name);
  if (environment.apiKey === undefined && profile !== undefined && url !== profile.url)
    throw wrongServiceFailure(name, url);
  return { url, apiKey: validateApiKey(apiKey) };
}

/** Throws a Failure unless a header carries it unchanged: otherwise the service would get no key, or another one. */
export function validateApiKey(apiKey: string): string {
  if (/^[\u0021-\u007e]+$/.test(apiKey.trim())) return apiKey;
  const hint = 'Copy it once more, and set PD_API_KEY to it or run `pd login`.';
  const message = 'What was given is not an API key: it has a space, or a character that is not ASCII.';
  throw new Failure(message, exitCodes.unauthorized, hint);
}

/** A key is only sent to the service that issued it. */
function wrongServiceFailure(name: string, url: string): Failure {
  const hint = `Set PD_API_KEY together with PD_URL, or run \`pd login --url ${url}\`.`;
  return new Failure(`The key of profile "${name}" is not for ${url}.`, exitCodes.unauthorized, hint);
}

function noKeyFailure({ profiles }: Config, name: string): Failure {
  const profileNames = Object.keys(profiles);
  if (name === defaultProfile || profileNames.length === 0)
    return new Failure('You are not logged in.', exitCodes.unauthorized, 'Run `pd login`, or set PD_API_KEY.');
  const hint = `Run \`pd login --profile ${name}\`, or take one of: ${profileNames.join(', ')}.`;
  return new Failure(`There is no profile "${name}".`, exitCodes.unauthorized, hint);
}

export const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Throws a Failure unless the text is the URL of a service. */
export function validateServiceUrl(text: string): string {
  if (!isHttpUrl(text)) {
    const completed = `http://${text}`;
    const isBare = !text.includes('://') && URL.canParse(completed);
    const hint = isBare ? `http:// or https:// is missing: ${completed}` : `It looks like ${defaultUrl}.`;
    throw usageFailure(`"${text}" is not the URL of a service.`, hint);
  }
  const { username, password, search, hash } = new URL(text);
  // A user would replace the key in the header. The message does not repeat the password.
  if (`${username}${password}${search}${hash}` !== '')
    throw usageFailure(
      'The URL of a service has no user, password, query or fragment.',
      `It looks like ${defaultUrl}.`,
    );
  return text.replace(/\/+$/, '').replace(/\/v1$/, '');
}

export const isLoopback = (url: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** The first key of a service whose data is on this machine; undefined: no readable key. */
export function readLocalKey({ dataDir }: Environment): { readonly path: string; readonly apiKey: string } | undefined {
  const path = join(dataDir, 'api-key');
  if (!existsSync(path)) return undefined;
  try {
    return { path, apiKey: readFileSync(path, 'utf8').trim() };
  } catch {
    return undefined;
  }
}
