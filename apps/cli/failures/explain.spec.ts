import { ApiError } from '../../../libs/client/index.ts';
import { explain, toErrorJson } from './explain.ts';
import { exitCodes, Failure, Interrupted } from './failure.ts';

const refusal = (status: number | null, details?: unknown): ApiError =>
  new ApiError('It says\u001b[2J why.', {
    status,
    code: 'x',
    details,
    ...(status === 429 ? { retryAfterSeconds: 2 } : {}),
  });

test.each([
  [refusal(400), exitCodes.failed, undefined],
  [refusal(401), exitCodes.unauthorized, 'Run `pd login`, or set PD_API_KEY.'],
  [refusal(404), exitCodes.notFound, undefined],
  [refusal(429), exitCodes.failed, 'Try again in 2 s.'],
  [new Failure('a', exitCodes.usage, 'b'), exitCodes.usage, 'b'],
  [new Interrupted(), exitCodes.interrupted, undefined],
  [new TypeError('a'), exitCodes.failed, undefined],
  ['a', exitCodes.failed, undefined],
])('%p ends with %d', (error, exitCode, hint) => {
  expect(explain(error)).toMatchObject({ exitCode, hint });
});

test('the message for a refused API key does not mention the header that programs send', () => {
  const message = 'The API key is not known: send the header Authorization: Bearer API_KEY.';
  expect(explain(new ApiError(message, { status: 401, code: 'unauthorized' }))).toMatchObject({
    message: 'The API key is not known.',
    hint: 'Run `pd login`, or set PD_API_KEY.',
  });
});

test("the text of a component's error is shown with its place and cannot control the terminal", () => {
  const details = {
    line: 2,
    column: 7,
    problems: [{ field: 'a', message: 'It is\u009b wrong.' }],
    console: [{ level: 'log', text: 'hi' }],
  };
  expect(explain(refusal(400, details))).toMatchObject({
    message: String.raw`It says\u001b[2J why.`,
    details: ['at line 2, column 7', String.raw`It is\u009b wrong.`, 'log: hi'],
  });
});

test('a service that does not answer is reported once, with the cause', () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:1');
  const error = new ApiError('GET users/me was not answered: connect', { status: null, code: 'no_answer' }, cause);
  expect(explain(error).message).toBe('The service did not answer: connect ECONNREFUSED 127.0.0.1:1');
});

test.each([
  [{}, 'ECONNREFUSED', 'The service did not answer: x', 'Is it running?'],
  [{ unanswered: 'read' }, 'ECONNRESET', 'The service was reached, but did not answer: x', 'Try again'],
  [{ unanswered: 'change' }, 'ECONNRESET', 'The service was reached, but did not answer: x', 'It may have been done'],
  [{}, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'The service did not answer: x', 'Set NODE_EXTRA_CA_CERTS'],
] as const)('the hint fits how a request was not answered: %j by %s', (fields, code, message, hint) => {
  const cause = Object.assign(new Error('x'), { code });
  const error = new ApiError('POST x', { status: null, code: 'no_answer', ...fields }, cause);
  expect(explain(error)).toMatchObject({ message, hint: expect.stringContaining(hint) });
});

test('an answer of another server hints at the URL', () => {
  const error = new ApiError('x', { status: 200, code: 'unknown' });
  expect(explain(error).hint).toBe('Is it the URL of the service? `pd doctor` shows where it is looked for.');
});

test.each([502, 503, 504])('an answer %d of a proxy does not put the URL in doubt', (status) => {
  const { hint } = explain(new ApiError('x', { status, code: 'unknown' }));
  expect(hint).toMatch(/^A proxy gets no answer from the service/);
  expect(explain(new ApiError('x', { status, code: 'overloaded' })).hint).toBeUndefined();
});

test('a program gets the code and details of a refusal, and a code for other failures', () => {
  const details = { state: 'inactive' };
  expect(toErrorJson(refusal(404, details))).toMatchObject({ code: 'x', details });
  expect(toErrorJson(new Failure('a', exitCodes.notFound, 'b'))).toEqual({
    error: 'a',
    code: 'not_found',
    hint: 'b',
  });
  expect(toErrorJson(new TypeError('a'))).toMatchObject({ error: 'a', code: 'failed' });
});

test('a place that is in the message is not repeated', () => {
  const error = new ApiError('Unexpected token (line 3, column 19)', {
    status: 400,
    code: 'component_invalid',
    details: { line: 3, column: 19 },
  });
  expect(explain(error).details).toEqual([]);
});
