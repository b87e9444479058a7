import { PassThrough } from 'node:stream';
import { program } from '../program/program.ts';
import { findCandidates } from './candidates.ts';

const stream = new PassThrough();
const pd = program({ run: () => async () => undefined }, { stdin: stream, stdout: stream, stderr: stream }, false);
const wordsFor = (...words: readonly string[]): readonly string[] => findCandidates(pd, words).words;

test('completes commands and their subcommands', () => {
  expect(wordsFor('de')).toEqual(['dev', 'deploy', 'describe', 'delete', 'deliveries']);
  expect(wordsFor('subscriptions', 'de')).toEqual(['delete', 'deliveries']);
  expect(wordsFor('subs', 'del')).toEqual(['delete', 'deliveries']);
});

test('completes options and the values they accept', () => {
  expect(wordsFor('events', '--f')).toEqual(['--follow']);
  expect(wordsFor('--json', 'events', '--p')).toEqual(['--profile']);
  expect(wordsFor('subs', 'deliveries', '--state', 'p')).toEqual(['parked']);
});

test('completes arguments by what they accept: a fixed choice or a source', () => {
  expect(wordsFor('list', 'su')).toEqual(['subscriptions']);
  expect(findCandidates(pd, ['events', '-n', '5', '']).wantsSources).toBe(true);
  expect(findCandidates(pd, ['events', 'a', '']).wantsSources).toBe(false);
  expect(findCandidates(pd, ['dev', 'a.mjs', '--dc', '']).wantsSources).toBe(true);
});

test.each([
  [['listen', '4000', '-s', ''], true, false],
  [['deliveries', 'list', '--source', ''], true, false],
  [['deliveries', 'list', '--webhook', ''], false, true],
  [['subs', 'create', 'orders', ''], true, true],
  [['webhooks', 'show', ''], false, true],
  [['history', ''], true, true],
  [['deploy', '--name', ''], false, false],
])('what names a source or a webhook is completed: %j', (words, wantsSources, wantsWebhooks) => {
  expect(findCandidates(pd, words)).toEqual({ words: expect.any(Array), wantsSources, wantsWebhooks });
});

test('help is completed only by commands', () => {
  expect(wordsFor('hel')).toEqual(['help']);
  expect(wordsFor('help', 'ev')).toEqual(['events']);
  expect(wordsFor('help', 'subs', 'cr')).toEqual(['create']);
  expect(findCandidates(pd, ['help', 'events', ''])).toEqual({ words: [], wantsSources: false, wantsWebhooks: false });
});
