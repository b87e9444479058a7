import { pino } from 'pino';
import { asJson, asReadable, formatLines } from './line-format.ts';
import type { Format } from './line-format.ts';

function logged(format: Format, log: (logger: ReturnType<typeof pino>) => void): string {
  const written: string[] = [];
  const options = { base: { pid: 42 }, timestamp: pino.stdTimeFunctions.isoTime };
  log(pino(options, formatLines({ write: (line) => written.push(line) }, format)));
  return written.join('');
}

test('a terminal shows time, level, message and details in one line', () => {
  const text = logged(asReadable(false), (logger) => logger.info({ health: 'http://127.0.0.1:1/health' }, 'ready'));
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: ready \{"health":"http:\/\/127.0.0.1:1\/health"\}\n$/);
});

test('an error keeps its stack', () => {
  const text = logged(asReadable(false), (logger) => logger.error({ err: new Error('no way') }, 'cannot continue'));
  expect(text).toContain('ERROR: cannot continue');
  expect(text).toContain('Error: no way');
  expect(text).toContain('line-format.spec.ts');
});

test('a program reads JSON', () => {
  const text = logged(asJson, (logger) => logger.warn({ count: 1 }, 'dropped'));
  expect(JSON.parse(text)).toMatchObject({ level: 40, pid: 42, count: 1, msg: 'dropped' });
});
