// All output that a guest reports of an invocation is checked again outside of the guest.
import { sizes } from '../../../../domain/sizes.ts';
import { defaultLimits } from '../../sandbox-limits.ts';
import { Call } from './call.ts';

const newCall = (guest: Partial<typeof defaultLimits.guest> = {}): Call =>
  new Call(
    { id: 1, what: 'run', secrets: [], concurrent: false },
    { ...defaultLimits, guest: { ...defaultLimits.guest, ...guest } },
  );

const emitText = (event: string): string => `{"channel":"c","event":${event}}`;

test('an emit is read with its known fields', () => {
  const call = newCall();
  call.emit('{"channel":"","id":7,"summary":"s","ts":5,"event":[1],"more":1}');
  expect(call).toMatchObject({ emits: [{ channel: '', id: 7, summary: 's', ts: 5, event: [1] }], tampered: false });
});

test.each([
  ['no JSON', 'nothing'],
  ['no object', '[]'],
  ['without a channel', '{"event":1}'],
  ['without an event', '{"channel":""}'],
  ['nested too deep', emitText('['.repeat(300) + ']'.repeat(300))],
  ['nested beyond every stack', emitText('['.repeat(400_000) + ']'.repeat(400_000))],
])('a text that is %s is not an emit, and counts as tampering', (_name, text) => {
  const call = newCall();
  call.emit(text);
  expect(call).toMatchObject({ emits: [], tampered: true });
});

test('emits beyond the limits of number and size are left out', () => {
  const few = newCall({ emitsMax: 2 });
  for (let n = 0; n < 5; n++) few.emit(emitText('1'));
  expect(few).toMatchObject({ emits: [{ event: 1 }, { event: 1 }], tampered: true });
  const small = newCall({ emittedBytesMax: 60 });
  for (let n = 0; n < 5; n++) small.emit(emitText('1'));
  expect(small.emits).toHaveLength(2);
});

test('the first response is passed on, the second is dropped', () => {
  const call = newCall();
  expect(call.respond('{"status":201,"encoding":"utf8","headers":{"a":"b","c":["d"],"e":5}}', 'made')).toEqual({
    status: 201,
    headers: { a: 'b', c: ['d'] },
    bodyBase64: Buffer.from('made').toString('base64'),
  });
  expect(call.respond('{"status":200}', '')).toBeUndefined();
  expect(call.tampered).toBe(false);
});

test.each([
  ['without a status', '{}', ''],
  ['with a status that HTTP has not', '{"status":99}', ''],
  ['with base64 that is none', '{"status":200,"encoding":"base64"}', 'ä?'],
  ['with a body beyond its size', '{"status":200,"encoding":"utf8"}', 'ä'.repeat(60)],
])('a response %s is refused as tampering', (_name, head, body) => {
  const call = newCall({ responseBodyBytes: 100 });
  expect(call.respond(head, body)).toBeUndefined();
  expect(call.tampered).toBe(true);
});

test('a response and emits share one size limit', () => {
  const call = newCall({ resultBytesMax: 100 });
  call.emit(emitText(`"${'e'.repeat(60)}"`));
  expect(call.emits).toHaveLength(1);
  expect(call.respond('{"status":200,"encoding":"utf8"}', 'r'.repeat(60))).toBeUndefined();
});

test('output above the size of a run is left out and reported as its error', () => {
  const large = newCall({ emittedBytesMax: 100 * sizes.runOutputBytes, resultBytesMax: 100 * sizes.runOutputBytes });
  for (let n = 0; n < 20; n++) large.emit(emitText(`"${'x'.repeat(sizes.emitBytes - 2)}"`));
  expect(large.tampered).toBe(false);
  expect(large.emits).toHaveLength(11);
  expect(large.emitSizer.error).toMatchObject({
    name: 'EmitTooLargeError',
    message: expect.stringContaining('emit 12'),
  });
  expect(large.emitSizer.bytes).toBeLessThanOrEqual(sizes.runOutputBytes);
});

test('the parts of a call contain all its emits, in order, and each part is small', () => {
  const many = newCall();
  for (let n = 0; n < 3_000; n++) many.emit(emitText(`"${'x'.repeat(n % 100 === 0 ? 40_000 : 10)}"`));
  expect(many.parts.flat()).toEqual(many.emits);
  for (const part of many.parts) {
    expect(part.length).toBeLessThanOrEqual(512);
    expect(JSON.stringify(part).length).toBeLessThan(96 * 1024);
  }
});
