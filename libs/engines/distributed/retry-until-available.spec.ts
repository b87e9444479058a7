import { PortError } from '../../domain/port-error.ts';
import { retryUntilAvailable } from './retry-until-available.ts';

function serverAwayFor(times: number, error: Error): { open: () => Promise<string>; tries: () => number } {
  let tries = 0;
  const open = (): Promise<string> => (++tries > times ? Promise.resolve('opened') : Promise.reject(error));
  return { open, tries: () => tries };
}

test('an unavailable server is waited for, and each wait is logged with its reason', async () => {
  const warnings: object[] = [];
  const { open } = serverAwayFor(2, new PortError('unavailable', 'nobody answers'));
  expect(await retryUntilAvailable('Kafka', open, { warn: (details: object) => void warnings.push(details) })).toBe(
    'opened',
  );
  expect(warnings).toMatchObject([
    { server: 'Kafka', reason: 'nobody answers' },
    { server: 'Kafka', reason: 'nobody answers' },
  ]);
});

test.each([new PortError('mismatch', 'made with 4 partitions'), new Error('a broken invariant')])(
  'a problem that waiting cannot solve fails at once: %s',
  async (error) => {
    const { open, tries } = serverAwayFor(9, error);
    await expect(retryUntilAvailable('Kafka', open, { warn: () => {} })).rejects.toBe(error);
    expect(tries()).toBe(1);
  },
);
