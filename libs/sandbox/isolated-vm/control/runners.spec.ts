// If no process starts, this is reported without names of files, and the reason is logged once.
import { defaultLimits } from '../sandbox-limits.ts';
import { cacheDir } from '../spec/harness.ts';
import { prepareGuest } from './guest-files.ts';
import { Runners } from './runners.ts';

it('shows that no process starts, and logs why', async () => {
  const reports: string[] = [];
  const egress = { allow: [] };
  const runners = new Runners({ bundlePath: '/nowhere/guest.js', limits: defaultLimits, egress }, (what) =>
    reports.push(what),
  );
  for (let at = 0; at < 5; at++) {
    expect(runners.trouble).toBeUndefined();
    const { promise: died, resolve } = Promise.withResolvers<unknown>();
    runners.spawn(resolve);
    await died;
  }
  expect(runners.trouble).toBe('No process starts in which components could run; the log says why');
  const why = /^No process starts in which components could run: .*ENOENT.*\/nowhere\/guest\.js/;
  expect(reports.slice(-1)).toEqual([expect.stringMatching(why)]);
  runners.close();
});

it('has no trouble with single deaths', async () => {
  const runners = new Runners(
    { ...(await prepareGuest(cacheDir)), limits: defaultLimits, egress: { allow: [] } },
    () => {},
  );
  for (let at = 0; at < 6; at++) {
    const { promise: died, resolve } = Promise.withResolvers<unknown>();
    const runner = runners.spawn(resolve);
    if (at === 3) await runner.started;
    runner.kill('the test kills it');
    await died;
  }
  expect(runners.trouble).toBeUndefined();
  runners.close();
});
