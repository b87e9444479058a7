// Deploys a hostile component, sends it requests, and checks its answers, run records and events.
import { ApiError } from '../../../../libs/client/index.ts';
import type { EventSummary, NewSource, Page, Run, Source } from '../../../../libs/client/index.ts';
import { sizes } from '../../../../libs/domain/sizes.ts';
import { until } from '../../../support/until.ts';
import type { ComponentAttack, EndpointRequest, Ran, Refused } from '../cases/attack.ts';
import type { Service } from './service.ts';
import { leftOf } from './struck.ts';
import type { Struck } from './struck.ts';

/** A run's limit is 60 s, and it can wait for others that are as hostile. */
const endedWithinMs = 100_000;
/** Seldom, because each poll is a load on the watched service. */
const pollEveryMs = 150;
const shownMax = 160;
/** Events of a run that are compared; more are only counted. */
const eventsReadMax = 100;
const statusesOfRefusals: readonly unknown[] = [400, 413];

/** On a busy machine a run can reach this limit through no fault of its own; the case is then tried again. */
const sliceOver = /computed for more than/;
const triesMax = 3;

export async function deployAndAsk(service: Service, attack: ComponentAttack): Promise<Struck> {
  for (let tries = 1; ; tries++) {
    const struck = await deployAndAskOnce(service, attack);
    const unlucky = struck.broken.length > 0 && sliceOver.test(struck.said);
    if (!unlucky || tries === triesMax) return struck;
    if (struck.left !== undefined)
      await service.client.deleteSource(struck.left.sourceId, { ignore_hook_errors: true });
  }
}

async function deployAndAskOnce(service: Service, attack: ComponentAttack): Promise<Struck> {
  const deployed = await deploy(service, attack);
  if (deployed instanceof ApiError) return refusalOf(attack, deployed);
  const left = leftOf(deployed);
  const { endpoint } = left;
  const { said } = attack;
  if ('deploy' in said && said.deploy === 'refused')
    return { said: 'deployed', broken: ['the deploy was to be refused, and was accepted'], left };
  const wanted: Ran = 'deploy' in said ? {} : said;
  if (endpoint === '') return { said: 'deployed without an endpoint', broken: [] };
  const broken = await ask(endpoint, attack.requests ?? [{}]);
  const runs = await runsOf(service, deployed.id, attack.requests?.length ?? 1);
  broken.push(...wrongRuns(wanted, runs), ...(await wrongEvents(service, deployed.id, wanted)));
  return { said: runs.map(runText).join('; ').slice(0, shownMax), broken, left };
}

/** Waits until the deploy has ended, however long it takes. */
async function deploy({ client }: Service, { code, props = {} }: ComponentAttack): Promise<Source | ApiError> {
  const started: NewSource | ApiError = await client
    .deploySource({ component_code: code(), configured_props: props })
    .catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
  if (started instanceof ApiError || started.state !== 'deploying') return started;
  const source = await until(
    'the deploy to end',
    async () => {
      const shown = await client.source(started.id);
      return shown.state !== 'deploying' && shown;
    },
    endedWithinMs,
  );
  const { refusal } = source;
  return refusal === undefined ? source : new ApiError(refusal.error, { status: 400, code: refusal.code });
}

function refusalOf({ said }: ComponentAttack, { status, code, message }: ApiError): Struck {
  const text = `${status} ${code}: ${message}`.slice(0, shownMax);
  if (!('deploy' in said)) return { said: text, broken: [notAccepted(text)] };
  const wanted: Refused = said.deploy === 'refused' ? said : { deploy: 'refused', code };
  return { said: text, broken: wrongRefusal(wanted, { status, code, message }) };
}

const notAccepted = (text: string): string => `the deploy was to be accepted, and was refused: ${text}`;

function wrongRefusal(
  { code: wanted = 'component_invalid', error }: Refused,
  { status, code, message }: Pick<ApiError, 'status' | 'code' | 'message'>,
): string[] {
  const text = `${status} ${code}: ${message}`.slice(0, shownMax);
  const broken: string[] = [];
  if (!statusesOfRefusals.includes(status)) broken.push(`the deploy was to be refused with 400 or 413: ${text}`);
  if (code !== wanted) broken.push(`the deploy was to be refused with the code ${wanted}: ${text}`);
  if (error !== undefined && !error.test(message)) broken.push(`the refusal was to say ${error}: ${text}`);
  if (message.length < 10) broken.push(`the refusal was to say why: ${text}`);
  return broken;
}

/** Sends the requests; returns the answers that broke a promise. */
async function ask(endpoint: string, requests: readonly EndpointRequest[]): Promise<string[]> {
  const broken: string[] = [];
  for (const { method = 'POST', path = '', headers = {}, body, statuses = [200] } of requests) {
    const sent = body === undefined ? {} : { body: body() };
    const answer = await fetch(`${endpoint}${path}`, { method, headers: { ...headers }, ...sent });
    await answer.arrayBuffer();
    if (!statuses.includes(answer.status))
      broken.push(`its endpoint was to answer ${statuses.join(' or ')}, and answered ${answer.status}`);
  }
  return broken;
}

/** Waits for so many run records; returns them, oldest first. */
export async function runsOf(
  { client, product }: Service,
  sourceId: string,
  count: number,
  withinMs = endedWithinMs,
): Promise<readonly Run[]> {
  const runs = await until(
    `${count} run records of the source`,
    async () => {
      if (product.ending !== undefined) throw new Error(`no run record: the service ended with ${product.ending}`);
      const { data } = await client.runs(sourceId, { limit: 100 });
      const http = data.filter(({ kind }) => kind === 'http');
      return http.length >= count && http;
    },
    withinMs,
    pollEveryMs,
  );
  return runs.toReversed();
}

const errorText = ({ error }: Run): string => (error === null ? '' : `${error.name}: ${error.message}`);
const consoleText = ({ console }: Run): string => console.map(({ text }) => text).join('\n');
const runText = (run: Run): string => `${run.outcome} ${errorText(run)}`.trim().slice(0, shownMax);

function wrongRuns(said: Ran, runs: readonly Run[]): string[] {
  return runs.flatMap((run) => [...wrongRun(said, run)]);
}

function* wrongRun({ run: outcome, error, console, never }: Ran, run: Run): Generator<string> {
  const text = JSON.stringify(run);
  if (outcome !== undefined && run.outcome !== outcome) yield `its run was to have ${outcome}: ${runText(run)}`;
  if (run.outcome === 'failed' && errorText(run).length < 2) yield `its failed run was to say why: ${errorText(run)}`;
  if (error !== undefined && !error.test(errorText(run))) yield `its error was to say ${error}: ${runText(run)}`;
  if (console !== undefined && !console.test(consoleText(run)))
    yield `its console was to hold ${console}: ${consoleText(run).slice(0, shownMax)}`;
  if (never !== undefined && never.test(text)) yield `its run record was not to hold ${never}`;
  const bytes = Buffer.byteLength(text);
  if (bytes > sizes.recordBytes) yield `its run record has ${bytes} bytes, and was to have ${sizes.recordBytes}`;
}

async function wrongEvents({ client }: Service, sourceId: string, { events, eventCount }: Ran): Promise<string[]> {
  const count = events?.length ?? eventCount;
  if (count === undefined) return [];
  const read = (): Promise<Page<EventSummary>> =>
    client.eventSummaries(sourceId, { limit: eventsReadMax, expand: 'event' });
  // The run's record can be shown before the last of its events.
  const page = await until('its events', async () => {
    const shown = await read();
    return shown.page_info.total_count >= count && shown;
  }).catch(read);
  const total = page.page_info.total_count;
  if (total !== count) return [`it was to have ${count} events, and has ${total}`];
  return events === undefined ? [] : wrongOrder(events, page.data);
}

function wrongOrder(events: readonly unknown[], newestFirst: readonly EventSummary[]): string[] {
  const got = JSON.stringify(newestFirst.map(({ event }) => event).toReversed());
  const wanted = JSON.stringify(events);
  return got === wanted ? [] : [`its events were to be ${wanted.slice(0, shownMax)}: ${got.slice(0, shownMax)}`];
}
