import { readEnvironment } from './environment.ts';
import { validateServiceUrl, connectionOf, isLoopback, profileName } from './connection.ts';

const config = {
  profiles: {
    default: { url: 'http://127.0.0.1:3000', api_key: 'pd_default' },
    work: { url: 'https://events.example.com', api_key: 'pd_work' },
  },
};

test('the option names the profile; without it the environment does', () => {
  expect(profileName('a', readEnvironment({ PD_PROFILE: 'b' }))).toBe('a');
  expect(profileName(undefined, readEnvironment({ PD_PROFILE: 'b' }))).toBe('b');
  expect(profileName(undefined, readEnvironment({ PD_PROFILE: '' }))).toBe('default');
});

test('the environment overrides the profile, whose key is never sent to another service', () => {
  const of = (variables: Record<string, string>) => connectionOf(config, 'work', readEnvironment(variables));
  expect(of({})).toEqual({ url: 'https://events.example.com', apiKey: 'pd_work' });
  expect(of({ PD_API_KEY: 'pd_env' })).toEqual({ url: 'https://events.example.com', apiKey: 'pd_env' });
  const other = { PD_URL: 'http://localhost:1/v1/' };
  expect(of({ ...other, PD_API_KEY: 'pd_env' })).toEqual({ url: 'http://localhost:1', apiKey: 'pd_env' });
  expect(() => of(other)).toThrow('The key of profile "work" is not for http://localhost:1.');
  expect(of({ PD_URL: 'https://events.example.com/v1' })).toEqual({
    url: 'https://events.example.com',
    apiKey: 'pd_work',
  });
});

test('a service on this machine is expected at its PORT, but a saved URL wins', () => {
  const apiKey = { PD_API_KEY: 'pd_env' };
  expect(connectionOf({ profiles: {} }, 'default', readEnvironment({ ...apiKey, PORT: '4801' })).url).toBe(
    'http://127.0.0.1:4801',
  );
  expect(connectionOf({ profiles: {} }, 'default', readEnvironment(apiKey)).url).toBe('http://127.0.0.1:3000');
  expect(connectionOf(config, 'work', readEnvironment({ PORT: '4801' })).url).toBe('https://events.example.com');
});

test('without a key the message says how to get one', () => {
  const none = readEnvironment({});
  expect(() => connectionOf({ profiles: {} }, 'default', none)).toThrow('You are not logged in.');
  expect(() => connectionOf(config, 'other', none)).toThrow('There is no profile "other".');
  expect(() => connectionOf(config, 'toString', none)).toThrow('There is no profile "toString".');
});

test.each(['käse', 'pd_a b', ' '])('%j is not an API key, and is refused before it is sent', (key) => {
  expect(() => connectionOf(config, 'work', readEnvironment({ PD_API_KEY: key }))).toThrow(
    'What was given is not an API key: it has a space, or a character that is not ASCII.',
  );
});

test.each(['', 'localhost:3000', 'ftp://a.b', 'a b'])('%j is not the URL of a service', (text) => {
  expect(() => validateServiceUrl(text)).toThrow(`"${text}" is not the URL of a service.`);
});

test.each(['http://u:secret@a.b', 'http://u@a.b', 'http://a.b/?q', 'http://a.b/#f'])(
  '%s says more than the place of a service',
  (text) => {
    const message = 'The URL of a service has no user, password, query or fragment.';
    expect(() => validateServiceUrl(text)).toThrow(expect.objectContaining({ message }));
  },
);

test.each([
  ['localhost:4801', 'http:// or https:// is missing: http://localhost:4801'],
  ['events.example.com', 'http:// or https:// is missing: http://events.example.com'],
  ['ftp://a.b', 'It looks like http://127.0.0.1:3000.'],
])('the hint for %s says what is missing', (text, hint) => {
  expect(() => validateServiceUrl(text)).toThrow(expect.objectContaining({ hint }));
});

test.each([
  ['http://127.0.0.1:3000', true],
  ['http://localhost', true],
  ['http://[::1]:3000', true],
  ['http://10.0.0.1', false],
  ['http://127.0.0.1.example.com', false],
])('%s is a loopback address: %s', (url, expected) => {
  expect(isLoopback(url)).toBe(expected);
});
