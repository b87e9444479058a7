import { Writable } from 'node:stream';
import type { Attempt, Delivery, Source } from '../../../libs/client/index.ts';
import { Output } from './output.ts';
import { showAttempt, showDelivery } from './show-delivery.ts';
import { showSource } from './show-source.ts';
import { styleFor } from './style.ts';

/** What goes to a terminal's stdout and stderr. */
function written(write: (out: Output) => unknown, color = true): { readonly stdout: string; readonly stderr: string } {
  const texts = { stdout: '', stderr: '' };
  const terminal = (name: 'stdout' | 'stderr') =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          texts[name] += String(chunk);
          done();
        },
      }),
      { isTTY: true },
    );
  write(new Output({ stdout: terminal('stdout'), stderr: terminal('stderr'), json: false, color }));
  return texts;
}

/** Sets the clipboard, clears the screen, and hides and reverses the text after it. */
const steering = '\u001b]52;c;cm0gLXJm\u0007\u001b[2J\u001b[8m\u202e';
const shownSteering = '\\u001b]52;c;cm0gLXJm\\u0007\\u001b[2J\\u001b[8m\\u202e';

test('only our own colours reach the terminal as control sequences', () => {
  const text = `a${steering}b`;
  const { stdout, stderr } = written(async (out) => {
    out.printLine(out.style.good(text));
    out.printResult({}, () => text);
    void out.printRecord({}, () => text);
    out.note(text);
    out.warn(text);
    out.printError(text);
  });
  expect(stdout).toBe(`\u001b[32ma${shownSteering}b\u001b[39m\n${`a${shownSteering}b\n`.repeat(2)}`);
  expect(stderr).toBe(
    ['', '\u001b[33mwarning:\u001b[39m ', '\u001b[31merror:\u001b[39m ']
      .map((head) => `${head}a${shownSteering}b\n`)
      .join(''),
  );
});

test('without colours, foreign colour codes are shown as text, too', () => {
  const { stdout, stderr } = written((out) => {
    out.printLine('\u001b[31mred');
    out.note('\u001b[31mred');
  }, false);
  expect([stdout, stderr]).toEqual(['\\u001b[31mred\n', '\\u001b[31mred\n']);
});

test('a progress line is one line, whatever its text', () => {
  expect(written((out) => out.showProgress(`1 of\r\n2${steering}`)).stderr).toBe(`\r\u001b[K1 of 2${shownSteering}`);
});

test("no field of a source's record steers the terminal", () => {
  const source = {
    id: 'dc_1',
    name: steering,
    name_slug: steering,
    kind: 'component',
    state: steering,
    component_key: steering,
    version: steering,
    configured_props: { [steering]: steering, http: { endpoint_url: steering } },
    last_error: { message: steering, run_id: steering },
    refusal: { error: steering },
    created_at: 0,
  } as unknown as Source;
  const { stdout } = written((out) => out.printResult(source, () => showSource(source, out.style)));
  expect(stdout.replaceAll(/\u001b\[\d+m/g, '')).not.toMatch(/[\u001b\u0007\u202e]/);
  expect(stdout).toContain(`component:\u001b[22m ${shownSteering}\n`);
  expect(stdout).toContain(`version:\u001b[22m ${shownSteering}\n`);
});

test('foreign colour codes have no effect, and a delivery keeps our colours', () => {
  const red = '\u001b[31mred';
  const attempt = {
    attempt: 1,
    outcome: 'failed',
    started_at_ms: 0,
    duration_ms: 1,
    address: red,
    message: red,
    answer: red,
  };
  const delivery = {
    id: red,
    state: 'parked',
    parked_reason: red,
    event_id: red,
    attempts: [attempt],
  } as unknown as Delivery;
  const { stdout } = written((out) => out.printResult(delivery, () => showDelivery(delivery, out.style)));
  expect(stdout).not.toContain(red);
  expect(stdout).toContain('\u001b[31mparked\u001b[39m (\\u001b[31mred)');
});

test('the answer of a receiver is labelled as its answer', () => {
  const attempt = { attempt: 1, outcome: 'failed', started_at_ms: 0, duration_ms: 1, address: null, status: 500 };
  const times = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null };
  const shown = showAttempt({ ...attempt, ...times, answer: 'ok\nfine\n' } as Attempt, styleFor(false));
  expect(shown.split('\n').slice(1)).toEqual(['  answer: ok', '    fine']);
});

test('foreign content is written byte for byte, and at a terminal as safe text', () => {
  const chunks: unknown[] = [];
  const stdout = new Writable({ write: (chunk, _encoding, done) => (chunks.push(chunk), done()) });
  const bytes = Buffer.from([0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xff, 0x0d, 0x0a]);
  new Output({ stdout, stderr: stdout, json: false, color: true }).printContent(bytes);
  expect(chunks).toEqual([bytes]);
  expect(written((out) => out.printContent(bytes)).stdout).toBe('\\u001b[31m\ufffd\n\n');
});
