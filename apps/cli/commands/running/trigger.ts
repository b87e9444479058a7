// `pd trigger`: sends a saved request to the endpoint of a source.
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';
import type { Source } from '../../../../libs/client/index.ts';
import { plainText } from '../../output/plain-text.ts';
import { endpointOf } from '../../output/show-source.ts';
import { formatDuration } from '../../output/times.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes, Failure, usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { collectValues } from '../arguments.ts';
import { idleReason } from './idle.ts';
import { bodyRequest, httpRequest, problemOf } from '../../requests/saved-request.ts';
import type { SavedRequest } from '../../requests/saved-request.ts';

interface TriggerOptions {
  readonly method?: string;
  readonly header?: readonly string[];
  readonly path?: string;
}

/** A run has 60 s to answer; afterwards the service answers for it. */
const answerMsMax = 75_000;

const description = `Sends a request to the endpoint of a source, and shows the answer. Exits with 1 if its status is 400 or more.

The answer's body goes to stdout: into a file or a pipe byte for byte, at a terminal with control characters escaped.

A file whose name ends in .http is a whole request:

    POST /orders?test=1
    content-type: application/json

    { "id": 1 }

Any other file is the body, and its extension sets the content type. Without a file it is a GET request.`;

export const addTrigger: AddCommand = (program, runner) => {
  program
    .command('trigger')
    .summary('send a saved request to a source')
    .description(description)
    .argument('<source>', 'a source by id or name')
    .argument('[file]', 'the request or its body; - for stdin')
    .option('-X, --method <method>', 'its method')
    .option('-H, --header <name:value>', 'a header; may be repeated', collectValues)
    .option('--path <path>', 'what comes after the URL of the endpoint, with a query')
    .action(runner.run(trigger));
};

async function trigger(session: Session, options: TriggerOptions, nameOrId: string, file?: string): Promise<number> {
  const { out } = session;
  const { method, path, headers, body } = await requestOf(session, options, file);
  const source = await findSource(await session.client(), nameOrId);
  const endpoint = endpointOf(source);
  if (endpoint === undefined) throw noEndpointFailure(source);
  const startedMs = performance.now();
  const onNoAnswer = explainNoAnswer(source, endpoint);
  const answer = await fetch(`${endpoint}${path}`, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMsMax),
    ...(body === undefined ? {} : { body }),
  }).catch(onNoAnswer);
  const content = new Uint8Array(await answer.arrayBuffer().catch(onNoAnswer));
  const tookMs = Math.round(performance.now() - startedMs);
  const isSuccess = answer.status < 400;
  const status = (isSuccess ? out.noteStyle.good : out.noteStyle.bad)(String(answer.status));
  if (!out.json) out.note(`${status}  ${formatDuration(tookMs)}`);
  if (answer.status === 404 && !source.active) {
    const { message, hint } = idleReason(source, source.state);
    out.note(plainText(`${message} ${hint}`));
  } else if (!isSuccess && !out.json) out.note(plainText(nextStep(source, answer)));
  if (out.json) out.printDocument(recordOf(answer, content, tookMs));
  else out.printContent(content);
  return isSuccess ? exitCodes.done : exitCodes.failed;
}

const recordOf = ({ status, headers }: Response, content: Uint8Array, durationMs: number): object => ({
  status,
  headers: Object.fromEntries(headers),
  body: new TextDecoder().decode(content),
  duration_ms: durationMs,
});

const nameOf = ({ id, name_slug }: Source): string => name_slug ?? id;

const noEndpointFailure = (source: Source): Failure =>
  new Failure(
    `The source ${nameOf(source)} has no endpoint.`,
    exitCodes.failed,
    source.kind === 'channel'
      ? `It is a channel: \`pd emit ${nameOf(source)}\` publishes an event on it.`
      : `\`pd run ${nameOf(source)}\` runs it.`,
  );

const explainNoAnswer =
  (source: Source, endpoint: string) =>
  (error: Error): never => {
    if (error.name === 'TimeoutError') {
      const hint = `Its run may still end: \`pd logs ${nameOf(source)}\` shows it.`;
      throw new Failure(`${endpoint} did not answer within ${answerMsMax / 1_000} s.`, exitCodes.failed, hint);
    }
    const { message } = error.cause instanceof Error && error.cause.message !== '' ? error.cause : error;
    const hint =
      'The service gives this address: if it cannot be reached from here, set PUBLIC_URL or ENDPOINT_URL of the service.';
    throw new Failure(`${endpoint} did not answer: ${message}`, exitCodes.failed, hint);
  };

function nextStep(source: Source, { status, headers }: Response): string {
  const seconds = headers.get('retry-after');
  if (status === 429) return `Try again${seconds === null ? ' later' : ` in ${seconds} s`}.`;
  return `\`pd logs ${nameOf(source)}\` shows its runs with their errors.`;
}

async function requestOf(session: Session, options: TriggerOptions, file: string | undefined): Promise<SavedRequest> {
  const saved = file === undefined ? bodyRequest(undefined, '') : await readRequest(session, file);
  const headers = (options.header ?? []).map(headerOf);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const request = {
    method: options.method?.toUpperCase() ?? saved.method,
    path: options.path === undefined ? saved.path : options.path.replace(/^(?![/?])/, '/'),
    headers: [...saved.headers.filter(([name]) => !names.has(name.toLowerCase())), ...headers],
    body: saved.body,
  };
  const problem = problemOf(request);
  if (problem !== undefined) {
    const hint =
      request.body !== undefined && /^(GET|HEAD)$/.test(request.method)
        ? 'Leave the file out, or give another method: -X POST.'
        : 'Correct it in the file, or by -X, -H and --path.';
    throw usageFailure(`The request cannot be sent: ${plainText(problem)}.`, hint);
  }
  return request;
}

async function readRequest({ io }: Session, file: string): Promise<SavedRequest> {
  const content = file === '-' ? await buffer(io.stdin) : await readFile(file).catch(explainUnreadable(file));
  if (!file.endsWith('.http')) return bodyRequest(content, file);
  const request = httpRequest(content);
  if (request === undefined) throw usageFailure(`${file} is not a request.`, 'Its first line looks like: POST /orders');
  return request;
}

const explainUnreadable =
  (file: string) =>
  (error: Error): never => {
    throw usageFailure(`${file} cannot be read: ${error.message}`, 'Name a request, or its body, or - for stdin.');
  };

function headerOf(text: string): [string, string] {
  const at = text.indexOf(':');
  if (at < 1) throw usageFailure(`"${text}" is not a header.`, 'It looks like -H "x-signature: abc".');
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
