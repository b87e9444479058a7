// Clients with an unknown API key or endpoint: to refuse them, a gateway must have read the log to its end,
// so an outage of the log shows here first.
import { pause } from '../until.ts';
import { ask } from './asking.ts';
import type { Answer } from './asking.ts';

const pauseMs = 100;

interface Stranger {
  readonly url: string;
  readonly init: RequestInit;
  /** The status of the refusal while the log can be read. */
  readonly refusal: number;
}

const strangersAt = (baseUrl: string): readonly Stranger[] => [
  { url: `${baseUrl}/e/endpoint-of-no-source`, init: { method: 'POST' }, refusal: 404 },
  { url: `${baseUrl}/v1/users/me`, init: { headers: { authorization: 'Bearer pd_that_nobody_made' } }, refusal: 401 },
];

/** The answers to each client during `work`. Checks that the last one, after it, is the refusal. */
export async function answersToStrangers(
  baseUrl: string,
  work: () => Promise<void>,
): Promise<readonly (readonly Answer[])[]> {
  let ended = false;
  const asking = strangersAt(baseUrl).map(async ({ url, init, refusal }) => {
    const answers: Answer[] = [];
    for (; !ended; await pause(pauseMs)) answers.push(await ask(url, init));
    answers.push(await ask(url, init));
    return { answers, refusal };
  });
  try {
    await work();
  } finally {
    ended = true;
  }
  const told = await Promise.all(asking);
  expect(told.map(({ answers }) => answers.at(-1)?.status)).toEqual(told.map(({ refusal }) => refusal));
  return told.map(({ answers }) => answers);
}
