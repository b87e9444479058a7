// Clients with an unknown API key or endpoint: to refuse them, a gateway must have read the log to its end,
// so an outage of the log shows here first.
import { pause } from '../until.ts';
import { sendRequest } from './retrying-client.ts';
import type { Answer } from './retrying-client.ts';

const pauseMs = 100;

interface UnknownClient {
  readonly url: string;
  readonly init: RequestInit;
  /** The status of the refusal while the log can be read. */
  readonly refusal: number;
}

const unknownClientsOf = (baseUrl: string): readonly UnknownClient[] => [
  { url: `${baseUrl}/e/endpoint-of-no-source`, init: { method: 'POST' }, refusal: 404 },
  { url: `${baseUrl}/v1/users/me`, init: { headers: { authorization: 'Bearer pd_that_nobody_made' } }, refusal: 401 },
];

/** The answers to each client during `work`. Checks that the last one, after it, is the refusal. */
export async function pollAsUnknownClients(
  baseUrl: string,
  work: () => Promise<void>,
): Promise<readonly (readonly Answer[])[]> {
  let ended = false;
  const polling = unknownClientsOf(baseUrl).map(async ({ url, init, refusal }) => {
    const answers: Answer[] = [];
    for (; !ended; await pause(pauseMs)) answers.push(await sendRequest(url, init));
    answers.push(await sendRequest(url, init));
    return { answers, refusal };
  });
  try {
    await work();
  } finally {
    ended = true;
  }
  const outcomes = await Promise.all(polling);
  expect(outcomes.map(({ answers }) => answers.at(-1)?.status)).toEqual(outcomes.map(({ refusal }) => refusal));
  return outcomes.map(({ answers }) => answers);
}
