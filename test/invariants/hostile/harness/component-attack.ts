// Deploys a hostile component, sends it requests, and checks its answers, run records and events.
import { ApiError } from '../../../../libs/client/index.ts';
import type { EventSummary, NewSource, Page, Run, Source } from '../../../../libs/client/index.ts';
import { sizes } from '../../../../libs/domain/sizes.ts';
import { until } from '../../../support/until.ts';
import type { ComponentAttack, EndpointRequest, ExpectedRun, ExpectedRefusal } from '../cases/attack.ts';
import type { AttackedService } from './service.ts';
import { remainingSourceOf } from './attack-outcome.ts';
import type { AttackOutcome } from './attack-outcome.ts';

/** A run's limit is 60 s, and it can wait for others that are as hostile. */
const endDeadlineMs = 100_000;
/** Seldom, because each poll is a load on the watched service. */
const pollEveryMs = 150;
const shownMax = 160;
/** Events of a run that are compared; more are only counted. */
const eventsReadMax = 100;
const statusesOfRefusals: readonly unknown[] = [400, 413];

/** On a busy machine a run can reach this limit through no fault of its own; the case is then tried again. */
const sliceExceeded = /computed for more than/;
const triesMax = 3;

export async function attackComponent(service: AttackedService, attack: ComponentAttack): Promise<AttackOutcome> {
  for (let tries = 1; ; tries++) {
    const outcome = await attackComponentOnce(service, attack);
    const shouldRetry = outcome.broken.length > 0 && sliceExceeded.test(outcome.summary);
    if (!shouldRetry || tries === triesMax) return outcome;
    if (outcome.remaining !== undefined)
      await service.client.deleteSource(outcome.remaining.sourceId, { ignore_hook_errors: true });
  }
}

async function attackComponentOnce(service: AttackedService, attack: ComponentAttack): Promise<AttackOutcome> {
  const deployed = await deploy(service, attack);
  if (deployed instanceof ApiError) return checkRefusal(attack, deployed);
  const remaining = remainingSourceOf(deployed);
  const { endpoint } = remaining;
  const { expected } = attack;
  if ('deploy' in expected && expected.deploy === 'refused')
    return { summary: 'deployed', broken: ['the deploy was to be refused, and was accepted'], remaining };
  const expectedRun: ExpectedRun = 'deploy' in expected ? {} : expected;
  if (endpoint === '') return { summary: 'deployed without an endpoint', broken: [] };
  const broken = await sendRequests(endpoint, attack.requests ?? [{}]);
  const runs = await runsOf(service, deployed.id, attack.requests?.length ?? 1);
  broken.push(...problemsOfRuns(expectedRun, runs), ...(await problemsOfEvents(service, deployed.id, expectedRun)));
  return { summary: runs.map(runText).join('; ').slice(0, shownMax), broken, remaining };
}

/** Waits until the deploy has ended, however long it takes. */
async function deploy({ client }: AttackedService, { code, props = {} }: ComponentAttack): Promise<Source | ApiError> {
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
    endDeadlineMs,
  );
  const { refusal } = source;
  return refusal === undefined ? source : new ApiError(refusal.error, { status: 400, code: refusal.code });
}

function checkRefusal({ expected }: ComponentAttack, { status, code, message }: ApiError): AttackOutcome {
  const text = `${status} ${code}: ${message}`.slice(0, shownMax);
  if (!('deploy' in expected)) return { summary: text, broken: [notAccepted(text)] };
  const expectedRefusal: ExpectedRefusal = expected.deploy === 'refused' ? expected : { deploy: 'refused', code };
  return { summary: text, broken: problemsOfRefusal(expectedRefusal, { status, code, message }) };
}

const notAccepted = (text: string): string => `the deploy was to be accepted, and was refused: ${text}`;

function problemsOfRefusal(
  { code: expectedCode = 'component_invalid', error }: ExpectedRefusal,
  { status, code, message }: Pick<ApiError, 'status' | 'code' | 'message'>,
): string[] {
  const text = `${status} ${code}: ${message}`.slice(0, shownMax);
  const broken: string[] = [];
  if (!statusesOfRefusals.includes(status)) broken.push(`the deploy was to be refused with 400 or 413: ${text}`);
  if (code !== expectedCode) broken.push(`the deploy was to be refused with the code ${expectedCode}: ${text}`);
  if (error !== undefined && !error.test(message)) broken.push(`the refusal was to say ${error}: ${text}`);
  if (message.length < 10) broken.push(`the refusal was to say why: ${text}`);
  return broken;
}

/** Sends the requests; returns the answers that broke a promise. */
async function sendRequests(endpoint: string, requests: readonly EndpointRequest[]): Promise<string[]> {
  const broken: string[] = [];
  for (const { method = 'POST', path = '', headers = {}, body, statuses = [200] } of requests) {
    const requestBody = body === undefined ? {} : { body: body() };
    const response = await fetch(`${endpoint}${path}`, { method, headers: { ...headers }, ...requestBody });
    await response.arrayBuffer();
    if (!statuses.includes(response.status))
      broken.push(`its endpoint was to answer ${statuses.join(' or ')}, and answered ${response.status}`);
  }
  return broken;
}

/** Waits for so many run records; returns them, oldest first. */
export async function runsOf(
  { client, product }: AttackedService,
  sourceId: string,
  count: number,
  withinMs = endDeadlineMs,
): Promise<readonly Run[]> {
  const runs = await until(
    `${count} run records of the source`,
    async () => {
      if (product.exitReason !== undefined)
        throw new Error(`no run record: the service ended with ${product.exitReason}`);
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

function problemsOfRuns(expected: ExpectedRun, runs: readonly Run[]): string[] {
  return runs.flatMap((run) => [...problemsOfRun(expected, run)]);
}

function* problemsOfRun({ run: outcome, error, console, never }: ExpectedRun, run: Run): Generator<string> {
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

async function problemsOfEvents(
  { client }: AttackedService,
  sourceId: string,
  { events, eventCount }: ExpectedRun,
): Promise<string[]> {
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
  return events === undefined ? [] : problemsOfOrder(events, page.data);
}

function problemsOfOrder(events: readonly unknown[], newestFirst: readonly EventSummary[]): string[] {
  const actual = JSON.stringify(newestFirst.map(({ event }) => event).toReversed());
  const expected = JSON.stringify(events);
  return actual === expected
    ? []
    : [`its events were to be ${expected.slice(0, shownMax)}: ${actual.slice(0, shownMax)}`];
}
