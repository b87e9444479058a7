import { randomBytes } from 'node:crypto';
import { OneTimeLinks } from './one-time-links.ts';
import { withoutSessionCookies } from './session-cookie.ts';
import { sessionMs, Sessions } from './sessions.ts';

const clock = { now: 1_000_000 };
const ambient = { now: () => clock.now, randomBytes };
const sessionsAt = (publicUrl: string, masterKey = Buffer.alloc(32, 7)): Sessions =>
  new Sessions({ masterKey, publicUrl, ambient });
const pair = (setCookie: string): string => setCookie.split(';', 1)[0] ?? '';

test('a session is valid until it expires, in every process with the same master key and no other', () => {
  const { session, setCookie } = sessionsAt('http://a').create('hash');
  const cookie = pair(setCookie);
  expect(sessionsAt('http://a').fromCookies(cookie)).toEqual(session);
  expect(sessionsAt('http://a', Buffer.alloc(32, 8)).fromCookies(cookie)).toBeUndefined();
  clock.now += sessionMs - 1;
  expect(sessionsAt('http://a').fromCookies(cookie)).toEqual(session);
  clock.now += 1;
  expect(sessionsAt('http://a').fromCookies(cookie)).toBeUndefined();
});

test('with an https URL the cookie is sent only over https and can be set only by the host itself', () => {
  expect(sessionsAt('https://a').create('hash').setCookie).toMatch(
    /^__Host-wellspring_session_[0-9a-f]{8}=[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
});

test('each session has its own CSRF token, which does not reveal the session id', () => {
  const sessions = sessionsAt('http://a');
  const [one, other] = [sessions.create('hash').session, sessions.create('hash').session];
  expect(sessions.isCsrfToken(one, sessions.csrfToken(one))).toBe(true);
  for (const token of [sessions.csrfToken(other), '', undefined, ['a'], `${sessions.csrfToken(one)}x`])
    expect(sessions.isCsrfToken(one, token)).toBe(false);
  expect(sessions.csrfToken(one)).not.toContain(one.id);
});

test.each([
  ['a=1; b=2', 'a=1; b=2'],
  ['wellspring_session_0011aabb=x', undefined],
  ['a=1;wellspring_session_0011aabb=x; b="2"', 'a=1; b="2"'],
  ['__Host-wellspring_session_0011aabb=x; wellspring_sessions=1', 'wellspring_sessions=1'],
])('hides session cookies: components see the cookies %j as %j', (header, left) => {
  expect(withoutSessionCookies(header)).toBe(left);
});

test('a sign-in link works once within ten minutes, and only the ten newest links work', () => {
  const steady = { now: 0 };
  const links = new OneTimeLinks(ambient, () => steady.now);
  const first = links.issue('hash');
  steady.now = 599_999;
  expect([links.redeem(first), links.redeem(first), links.redeem('unknown')]).toEqual(['hash', undefined, undefined]);
  const late = links.issue('hash');
  steady.now += 600_000;
  expect(links.redeem(late)).toBeUndefined();
  const many = Array.from({ length: 11 }, (_, n) => links.issue(`hash ${n}`));
  expect(many.map((token) => links.redeem(token))).toEqual([
    undefined,
    ...Array.from({ length: 10 }, (_, n) => `hash ${n + 1}`),
  ]);
});
