// Asks runtime for code from elsewhere: at a URL, or the components of a key or an app in the registry.
import { idBytes, idFromBytes } from '../../../../domain/id.ts';
import type { Repeatable } from '../../../../domain/definition/messages.ts';
import type { CodeCommand, SavedEvent } from '../../../../domain/saved/messages.ts';
import { appOf, isApp } from '../../../../domain/component/program/registry-component.ts';
import type { RegistryComponent } from '../../../../domain/component/program/registry-component.ts';
import { fileUrl } from '../../../../domain/saved/url.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { ApiProblem } from '../../http/api-problem.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { foundCode, foundComponents } from './found.ts';

type Asked = Omit<CodeCommand['data'], 'fetchId'>;
type Ending = Extract<SavedEvent, { type: 'ComponentFetched' | 'ComponentsFound' | 'ComponentFetchRefused' }>;
type Needed = Parts<'commands' | 'ambient' | 'log'>;

/** Returns no code for a repeated request: the command that follows is refused as repeated. Throws ApiProblem. */
export function fetchCode(
  parts: Needed & Parts<'secrets'>,
  caller: Caller,
  url: string,
  repeatable: Repeatable,
): Promise<string> {
  return codeOf(parts, caller, { ...repeatable, url: parts.secrets.seal(caller.workspace, fileUrl(url)) });
}

/** The same, for the component that has the key in the registry, in its latest version. */
export async function findKey(parts: Needed, caller: Caller, key: string, repeatable: Repeatable): Promise<string> {
  const app = appOf(key);
  if (app !== undefined) return codeOf(parts, caller, { ...repeatable, find: { app, key } });
  const message = `Nothing is published under the key ${key}, and no app has it: keys begin with the name of their app, as gitlab-new-issue does.`;
  throw new ApiProblem(404, 'unknown_key', message);
}

/** All components of the app. Throws ApiProblem. */
export async function listApp(parts: Needed, caller: Caller, app: string): Promise<readonly RegistryComponent[]> {
  if (!isApp(app))
    throw problemsOf([
      { field: 'app', message: `app must be the name of an app, such as gitlab, but "${app}" is not` },
    ]);
  const outcome = await send(parts, caller, { fingerprint: null, find: { app } });
  if (outcome?.type === 'ComponentFetchRefused') throw refusalProblem(outcome.data);
  return outcome?.type === 'ComponentsFound' ? foundComponents(parts.log, outcome.data) : [];
}

async function codeOf(parts: Needed, caller: Caller, asked: Asked): Promise<string> {
  const outcome = await send(parts, caller, asked);
  if (outcome?.type === 'ComponentFetched') return foundCode(parts.log, outcome.data);
  if (outcome?.type === 'ComponentFetchRefused' && outcome.data.reason !== 'repeated')
    throw refusalProblem(outcome.data);
  return '';
}

/** The installation continues and is kept, so a later request finds it. */
const stillLooking = (what: string): ApiProblem =>
  new ApiProblem(503, 'still_looking', `The registry is still being asked for ${what}: ask again in a while.`, {
    headers: { 'retry-after': '30' },
  });

function send(parts: Needed, caller: Caller, asked: Asked): Promise<Ending | undefined> {
  const fetchId = idFromBytes('fetch', parts.ambient.randomBytes(idBytes));
  const command: Command<CodeCommand> = { type: 'FetchComponent', key: fetchId, data: { ...asked, fetchId } };
  const endings = ['ComponentFetched', 'ComponentsFound', 'ComponentFetchRefused'] as const;
  const { find } = asked;
  const slow = find === undefined ? {} : { installing: () => stillLooking(find.key ?? find.app) };
  return parts.commands.send(caller, command, { endings, ...slow });
}
