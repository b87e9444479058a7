import fc from 'fast-check';
import { foldEvents, messageOf } from '../decider.fake.ts';
import { evolveAlerts, noAlerts } from './alerts.ts';
import type { Alerts } from './alerts.ts';
import { alertsMax, decideAlert } from './decide.ts';
import type { AlertCommand, AlertEvent } from './messages.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const about = (subject: string) => ({ code: 'malformed_record', subject }) as const;

const given = (...events: AlertEvent[]): Alerts => foldEvents(noAlerts(), evolveAlerts, events);
const raised = (subject: string, at = 0): AlertEvent =>
  messageOf('AlertRaised', { ...about(subject), message: 'm' }, { at });
const ended = (subject: string, at = 0): AlertEvent => messageOf('AlertEnded', about(subject), { at });
const raise = (subject: string, at = 0): AlertCommand =>
  messageOf('RaiseAlert', { ...about(subject), message: 'again' }, { at });
const end = (subject: string, at = 0): AlertCommand => messageOf('EndAlert', about(subject), { at });
const when = (state: Alerts, command: AlertCommand): string[] =>
  decideAlert(state, command).map(({ type, data }) => `${type} ${data.subject}`);

test('given no alerts, when an alert is raised, then it is raised with its message', () => {
  expect(decideAlert(given(), raise('runs'))).toEqual([
    { type: 'AlertRaised', data: { ...about('runs'), message: 'again' } },
  ]);
});

test('given trouble that began before it was reported, when its alert is raised, then it says since when', () => {
  const command = messageOf('RaiseAlert', { ...about('runs'), message: 'm', since: 5 }, { at: 9 });
  const data = { ...about('runs'), message: 'm', since: 5 };
  expect(decideAlert(given(), command)).toEqual([{ type: 'AlertRaised', data }]);
  const state = given(messageOf('AlertRaised', data, { at: 9 }));
  expect([...state.values()]).toEqual([expect.objectContaining({ since: 5, lastAt: 9 })]);
  expect(decideAlert(state, raise('runs', 9 + hourMs))).toEqual([
    { type: 'AlertContinued', data: { ...about('runs'), message: 'again', since: 5 } },
  ]);
});

test('given a clock that is ahead, when an alert says that its trouble begins later, then it begins now', () => {
  const command = messageOf('RaiseAlert', { ...about('runs'), message: 'm', since: 9 }, { at: 5 });
  expect(decideAlert(given(), command)).toEqual([{ type: 'AlertRaised', data: { ...about('runs'), message: 'm' } }]);
});

test('given a live alert, when it is raised again, then nothing is recorded', () => {
  expect(when(given(raised('runs')), raise('runs', hourMs - 1))).toEqual([]);
});

test('given a live alert, when it is raised an hour later, then it continues from when it was raised', () => {
  expect(decideAlert(given(raised('runs', 5)), raise('runs', 5 + hourMs))).toEqual([
    { type: 'AlertContinued', data: { ...about('runs'), message: 'again', since: 5 } },
  ]);
});

test('given an alert that continued, when it is raised within a day of that, then it is still the same one', () => {
  const data = { ...about('runs'), message: 'm', since: 0 };
  const state = given(raised('runs'), messageOf('AlertContinued', data, { at: 20 * hourMs }));
  expect(when(state, raise('runs', 43 * hourMs))).toEqual(['AlertContinued runs']);
  expect([...state.values()]).toEqual([expect.objectContaining({ since: 0, lastAt: 20 * hourMs })]);
});

test('given another subject or code, when an alert is raised, then it is another alert', () => {
  expect(when(given(raised('runs')), raise('hooks'))).toEqual(['AlertRaised hooks']);
  const other = messageOf('RaiseAlert', { code: 'newer_record', subject: 'runs', message: 'm' } as const);
  expect(when(given(raised('runs')), other)).toEqual(['AlertRaised runs']);
});

test('given a live alert, when its raiser ends it, then it ends, and can be raised again', () => {
  expect(when(given(raised('runs')), end('runs', 1))).toEqual(['AlertEnded runs']);
  expect(when(given(raised('runs'), ended('runs')), raise('runs', 2))).toEqual(['AlertRaised runs']);
});

test('given no such alert, when it is ended, then nothing is recorded', () => {
  expect(when(given(raised('runs')), end('hooks'))).toEqual([]);
});

test('given an alert that nobody raised for a day, when any command comes, then it ends', () => {
  expect(when(given(raised('runs')), raise('runs', dayMs))).toEqual(['AlertEnded runs', 'AlertRaised runs']);
  expect(when(given(raised('runs')), end('hooks', dayMs))).toEqual(['AlertEnded runs']);
  expect(when(given(raised('runs')), end('runs', dayMs))).toEqual(['AlertEnded runs']);
});

test('given as many alerts as there may be, when one more is raised, then the oldest ends', () => {
  const full = Array.from({ length: alertsMax }, (_, i) => raised(`s${i}`, i));
  expect(when(given(...full), raise('more', alertsMax))).toEqual(['AlertEnded s0', 'AlertRaised more']);
});

test('given as many as there may be, when one more is raised, then the oldest of the code that has most ends', () => {
  const crashed = (n: number) => ({ code: 'component_crashed', subject: `dc_${n}` }) as const;
  const many = Array.from({ length: alertsMax - 1 }, (_, n) =>
    messageOf('AlertRaised', { ...crashed(n), message: 'm' }, { at: n + 1 }),
  );
  const more = messageOf('RaiseAlert', { ...crashed(alertsMax), message: 'm' }, { at: alertsMax });
  expect(when(given(raised('trees'), ...many), more)).toEqual(['AlertEnded dc_0', `AlertRaised dc_${alertsMax}`]);
});

test('after any commands there is at most one alert for each code and subject, and a bounded number in all', () => {
  const command = fc
    .tuple(fc.constantFrom(raise, end), fc.nat(5), fc.nat(3 * dayMs))
    .map(([make, subject, at]) => make(`s${subject}`, at));
  fc.assert(
    fc.property(fc.array(command), (commands) => {
      const state = noAlerts();
      for (const one of commands) {
        for (const { type, data } of decideAlert(state, one)) {
          const wasLive = state.has(`${data.code}/${data.subject}`);
          expect(wasLive).toBe(type !== 'AlertRaised');
          evolveAlerts(state, messageOf(type, data, { at: one.at }) as AlertEvent);
        }
      }
      expect(state.size).toBeLessThanOrEqual(6);
    }),
  );
});
