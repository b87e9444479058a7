// Whatever a guest sends, the outcome of its invocation is within limits, well-formed and without secrets.
import fc from 'fast-check';
import { isNestedTooDeep } from '../../../../domain/json.ts';
import { sizes } from '../../../../domain/sizes.ts';
import { defaultLimits } from '../../sandbox-limits.ts';
import type { EndedMessage } from '../../runner-protocol.ts';
import { toHost } from '../../wire.ts';
import { receive } from '../isolate/mailbox.ts';
import type { MailboxOwner } from '../isolate/mailbox.ts';
import { Positions } from '../guest-output/positions.ts';
import { Call } from './call.ts';
import { DbWrites } from './db-writes.ts';
import { endedMessages } from './ended-message.ts';

const secret = 'a secret of the run';
const positions = new Positions(JSON.stringify({ version: 3, sources: ['component.js'], names: [], mappings: 'AAAA' }));

const deep = fc.nat({ max: 17 }).map((power) => '['.repeat(2 ** power) + ']'.repeat(2 ** power));
const json = fc.oneof({ weight: 9, arbitrary: fc.json() }, { weight: 1, arbitrary: deep });
const text = fc.oneof(
  json,
  fc.string({ unit: 'binary' }),
  fc.constantFrom(`x ${secret} y`, '    at a (component.js:1:1)', '\ud800', ''),
  fc.nat({ max: 20 }).map((power) => 'x'.repeat(2 ** power)),
);
const emit = json.map((event) => `{"channel":"c","id":1,"event":${event}}`);
const head = json.map((headers) => `{"status":200,"encoding":"utf8","headers":${headers}}`);
const error = text.map((stack) => JSON.stringify({ name: 'E', message: `m ${secret}`, stack }));

const message = fc.oneof(
  fc.tuple(fc.constant(toHost.emit), fc.constant(1), fc.oneof(emit, text)),
  fc.tuple(fc.constant(toHost.console), fc.constant(1), fc.constantFrom('log', 'shout'), text),
  fc.tuple(fc.constant(toHost.respond), fc.constant(1), fc.oneof(head, text), text),
  fc.tuple(fc.constant(toHost.db), fc.constant(1), text, fc.oneof(text, fc.constant(null))),
  fc.tuple(fc.constant(toHost.done), fc.constant(1), fc.oneof(error, fc.constant(null))),
  fc.array(fc.anything(), { maxLength: 5 }),
);

function ownerOf(call: Call, writes: DbWrites, responses: unknown[]): MailboxOwner {
  const tampered = (): void => void (call.tampered = true);
  return {
    emit: (_id, one) => call.emit(one),
    console: (_id, level, line) => call.console.add(level, line),
    respond: (_id, responseHead, body) => responses.push(call.respond(responseHead, body)),
    db: (key, value) => void (writes.add(key, value) || tampered()),
    done: (_id, failure) => void (call.done ??= failure),
    timers: { set: () => {}, delete: () => {}, unref: () => {} },
    requests: { ask: () => {}, pull: () => {}, abort: () => {} },
    tampered,
  };
}

test('the report stays within the bounds of a run', () => {
  const property = fc.property(fc.array(message, { maxLength: 20 }), (messages) => {
    const call = new Call({ id: 1, what: 'run', concurrent: false, secrets: [secret] }, defaultLimits);
    const writes = new DbWrites(defaultLimits.guest);
    const responses: unknown[] = [];
    const owner = ownerOf(call, writes, responses);
    for (const one of messages) receive(owner, ...one);
    const failure = typeof call.done === 'string' ? { error: call.done } : {};
    const ending = { end: 'error' in failure ? 'threw' : 'finished', cpuMs: 1, ...failure } as const;
    const sent = endedMessages(call, ending, writes, positions);
    const emits = sent.flatMap((one) => one.emits);
    expect(emits).toEqual(call.emits);
    expect(sent.slice(0, -1).every(({ type }) => type === 'emitted')).toBe(true);
    const ended = { ...(sent.at(-1) as EndedMessage), emits };
    expect(responses.filter((response) => response !== undefined).length).toBeLessThanOrEqual(1);
    expect(Buffer.byteLength(JSON.stringify([ended, responses]))).toBeLessThan(sizes.appendBytes + sizes.dbBytes);
    expect(ended.emits.filter(({ event }) => isNestedTooDeep(event))).toEqual([]);
    const written = ended.dbWrites.filter(([, value]) => value !== null).map(([, value]) => JSON.parse(value ?? ''));
    expect(written.filter((value) => isNestedTooDeep(value))).toEqual([]);
    expect(JSON.stringify([ended.console, ended.error ?? null])).not.toContain(secret);
  });
  fc.assert(property);
});

test('of a line that is too long the beginning is kept, and nothing of a secret in which it was cut', () => {
  const limits = { ...defaultLimits, guest: { ...defaultLimits.guest, consoleBytes: 1_000 } };
  const secrets = [secret];
  const call = new Call({ id: 1, what: 'run', concurrent: false, secrets }, limits);
  call.console.add('log', 'first');
  call.console.add('log', 'x'.repeat(950) + secret);
  call.console.add('log', 'after');
  const ending = { end: 'finished', cpuMs: 1 } as const;
  const { console } = endedMessages(call, ending, new DbWrites(limits.guest), positions).at(-1) as EndedMessage;
  expect(console.map(({ text: shown }) => shown)).toEqual([
    'first',
    expect.stringMatching(/^x{900,950}$/),
    'Console output was cut at 1000 bytes',
  ]);
  expect(console[1]).not.toHaveProperty('cut');
});

test('a stopped run does not take the writes of a concurrent run', () => {
  const writes = new DbWrites(defaultLimits.guest);
  writes.add('half', '1');
  const stopped = new Call({ id: 1, what: 'run', concurrent: true, secrets: [] }, defaultLimits);
  const ending = { end: 'timed_out', cpuMs: 1, error: JSON.stringify({ name: 'E', message: 'm' }) } as const;
  expect(endedMessages(stopped, ending, writes, positions).at(-1)).toMatchObject({ dbWrites: [] });
  const alone = new Call({ id: 2, what: 'run', concurrent: false, secrets: [] }, defaultLimits);
  expect(endedMessages(alone, ending, writes, positions).at(-1)).toMatchObject({ dbWrites: [['half', '1']] });
});
