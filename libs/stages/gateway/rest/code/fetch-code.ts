// Asks runtime for code from elsewhere: at a URL, or the components of a key or an app in the registry.
import { idBytes, idFromBytes } from '../../../../domain/id.ts';
import type { Repeatable } from '../../../../domain/definition/messages.ts';
import type { CodeCommand, SavedEvent } from '../../../../domain/saved/messages.ts';
import { appOf, isAppName } from '../../../../domain/component/program/registry-component.ts';
import type { RegistryComponent } from '../../../../domain/component/program/registry-component.ts';
import { rawFileUrl } from '../../../../domain/saved/github-file-url.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { ApiProblem } from '../../http/api-problem.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { readFetchedCode, readFetchedComponents } from './fetched-code.ts';

type FetchInput = Omit<CodeCommand['data'], 'fetchId'>;
type FetchOutcome = Extract<SavedEvent, { type: 'ComponentFetched' | 'ComponentsFound' | 'ComponentFetchRefused' }>;
type RequiredParts = Parts<'commands' | 'ambient' | 'log'>;

/** Returns no code for a repeated request: the command that follows is refused as repeated. Throws ApiProblem. */
export function fetchCode(
  parts: RequiredParts & Parts<'secrets'>,
  caller: Caller,
  url: string,
  repeatable: Repeatable,
): Promise<string> {
  return requestCode(parts, caller, { ...repeatable, url: parts.secrets.seal(caller.workspace, rawFileUrl(url)) });
}

/** The same, for the component that has the key in the registry, in its latest version. */
export async function fetchCodeByKey(
  parts: RequiredParts,
  caller: Caller,
  key: string,
  repeatable: Repeatable,
): Promise<string> {
  const app = appOf(key);
  if (app !== undefined) return requestCode(parts, caller, { ...repeatable, find: { app, key } });
  const message = `Nothing is published under the key ${key}, and no app has it: keys begin with the name of their app, as gitlab-new-issue does.`;
  throw new ApiProblem(404, 'unknown_key', message);
}

/** All components of the app. Throws ApiProblem. */
export async function listAppComponents(
  parts: RequiredParts,
  caller: Caller,
  app: string,
): Promise<readonly RegistryComponent[]> {
  if (!isAppName(app))
    throw problemsOf([
      { field: 'app', message: `app must be the name of an app, such as gitlab, but "${app}" is not` },
    ]);
  const outcome = await sendFetch(parts, caller, { fingerprint: null, find: { app } });
  if (outcome?.type === 'ComponentFetchRefused') throw refusalProblem(outcome.data);
  return outcome?.type === 'ComponentsFound' ? readFetchedComponents(parts.log, outcome.data) : [];
}

async function requestCode(parts: RequiredParts, caller: Caller, input: FetchInput): Promise<string> {
  const outcome = await sendFetch(parts, caller, input);
  if (outcome?.type === 'ComponentFetched') return readFetchedCode(parts.log, outcome.data);
  if (outcome?.type === 'ComponentFetchRefused' && outcome.data.reason !== 'repeated')
    throw refusalProblem(outcome.data);
  return '';
}

/** The installation continues and is kept, so a later request finds it. */
const stillLookingProblem = (what: string): ApiProblem =>
  new ApiProblem(503, 'still_looking', `The registry is still being asked for ${what}: ask again in a while.`, {
    headers: { 'retry-after': '30' },
  });

function sendFetch(parts: RequiredParts, caller: Caller, input: FetchInput): Promise<FetchOutcome | undefined> {
  const fetchId = idFromBytes('fetch', parts.ambient.randomBytes(idBytes));
  const command: Command<CodeCommand> = { type: 'FetchComponent', key: fetchId, data: { ...input, fetchId } };
  const endings = ['ComponentFetched', 'ComponentsFound', 'ComponentFetchRefused'] as const;
  const { find } = input;
  const installingOption = find === undefined ? {} : { installing: () => stillLookingProblem(find.key ?? find.app) };
  return parts.commands.send(caller, command, { endings, ...installingOption });
}
