import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accountsMax, credentialFieldsMax, credentialsBytesMax } from '../../libs/domain/account/account-bounds.ts';
import { callRunTimeoutMs, waitingCallsMax } from '../../libs/domain/call/call.ts';
import { optionsMax } from '../../libs/domain/call/form.ts';
import { uniqueIdsMax } from '../../libs/domain/run/dedupe.ts';
import { storeBounds } from '../../libs/domain/store/bounds.ts';
import { waitingRetriesMax } from '../../libs/domain/delivery/cursor.ts';
import { testsRunningMax, testsWaitingMax } from '../../libs/domain/delivery/attempt/webhook-test.ts';
import { liveReplaysMax, replayOpenMax, runningReplaysMax } from '../../libs/domain/delivery/replay/replay.ts';
import { inputDepthMax, jsonDepthMax } from '../../libs/domain/json.ts';
import { eventNameCharsMax, eventNamesMax } from '../../libs/domain/component/props/apphook/apphook.ts';
import { settingBounds } from '../../libs/domain/source/source-settings.ts';
import { publishedEventsMax } from '../../libs/domain/publish/publish.ts';
import { recentIdsMax } from '../../libs/domain/publish/recent-ids.ts';
import { savedComponentsMax } from '../../libs/domain/saved/decide.ts';
import { keysMax as apiKeysMax } from '../../libs/domain/workspace/api-keys/api-keys.ts';
import { transformMemoryMb, transformTimeoutMs } from '../../libs/domain/delivery/transform/transform.ts';
import { keysMax as orderKeysMax } from '../../libs/stages/delivery/order/key-order.ts';
import { sizes } from '../../libs/domain/sizes.ts';
import { configSummary, readConfig } from '../../libs/engines/config/config.ts';
import { distributedSummary, readDistributedConfig } from '../../libs/engines/distributed/config.ts';
import { filesMax, pathCharsMax } from '../../libs/domain/component/program/program.ts';
import { bundleBytesMax } from '../../libs/packages/npm/bundling/job.ts';
import { installLimits } from '../../libs/packages/npm/install/installer-process.ts';
import { specifiersMax } from '../../libs/packages/npm/install/specifiers.ts';
import { defaultLimits as sandboxLimits } from '../../libs/sandbox/isolated-vm/sandbox-limits.ts';
import { slotLimits } from '../../libs/stages/gateway/control/waiting/command-slots.ts';
import { bodyBudgetBytes } from '../../libs/stages/gateway/http/bodies/body-budget.ts';
import { dataValuesMax, inputValuesMax } from '../../libs/stages/gateway/http/json/json-scan.ts';
import { pageBytesMax } from '../../libs/stages/gateway/rest/lists/page-bytes.ts';
import { dbKeyUnitsMax } from '../../libs/sandbox/isolated-vm/wire.ts';
import { stepsMax } from '../../libs/stages/gateway/rest/stats/span.ts';
import { runtimeLimits } from '../../libs/stages/runtime/runtime-limits.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(rootDir, path), 'utf8');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'docs/api.md',
  'docs/audit.md',
  'docs/cli.md',
  'docs/components.md',
  'docs/metrics.md',
  'docs/operations.md',
  'docs/performance.md',
  'docs/security.md',
  'docs/topics.md',
  'deploy/kubernetes/README.md',
  ...namesIn('docs/decisions').map((name) => `docs/decisions/${name}`),
  ...namesIn('docs/reference').map((name) => `docs/reference/${name}`),
];

function namesIn(folder: string): readonly string[] {
  return readdirSync(join(rootDir, folder));
}

/** The variables and their defaults, as a table in a section of README.md lists them. */
function settingsIn(section: string): Record<string, string> {
  const text =
    read('README.md')
      .split(/^## /m)
      .find((part) => part.startsWith(`${section}\n`)) ?? '';
  return Object.fromEntries(
    [...text.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\|/gm)].map(([, name, value]) => [name, value]),
  );
}

test('the table in README.md lists exactly the settings of the embedded engine, with the defaults of PORT and HOST', () => {
  const defaults = configSummary(readConfig({}));
  const shown = settingsIn('Configuration');
  expect(Object.keys(shown)).toEqual(Object.keys(defaults));
  expect(shown).toMatchObject({ PORT: `\`${defaults.PORT}\``, HOST: `\`${defaults.HOST}\`` });
});

test('the table in README.md lists exactly the further settings of the distributed engine, with defaults for Kafka', () => {
  const least = { KAFKA_BROKERS: 'kafka:9092', MONGODB_URL: 'mongodb://db', MASTER_KEY: '0'.repeat(64) };
  const config = readDistributedConfig(least);
  const defaults = distributedSummary(config);
  const further = Object.keys(defaults).filter((name) => !Object.hasOwn(configSummary(config), name));
  const shown = settingsIn('Distributed');
  expect(Object.keys(shown).sort()).toEqual(further.sort());
  expect(shown).toMatchObject({
    KAFKA_PARTITIONS: `\`${defaults.KAFKA_PARTITIONS}\``,
    KAFKA_REPLICATION_FACTOR: `\`${defaults.KAFKA_REPLICATION_FACTOR}\`; \`1\` on loopback`,
    KAFKA_SSL: `\`${defaults.KAFKA_SSL}\``,
  });
});

const kibibytes = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${(bytes / 1024).toLocaleString('en')} KiB`;
const seconds = (ms: number): string => `${ms / 1000} s`;

test('the API guide lists exactly the limits of the product', () => {
  const { guest, ...sandbox } = sandboxLimits;
  const limits = [
    ...[sizes.restBodyBytes, sizes.restBodyBytes, sizes.subscriptionBodyBytes, sizes.runBodyBytes].map(kibibytes),
    kibibytes(sizes.storeBodyBytes),
    kibibytes(sizes.transformBytes),
    `${transformTimeoutMs} ms; ${transformMemoryMb} MiB`,
    orderKeysMax,
    accountsMax,
    `${kibibytes(credentialsBytesMax)}; ${credentialFieldsMax}`,
    [storeBounds.storesMax, storeBounds.keysMax, storeBounds.keyUnitsMax]
      .map((count) => count.toLocaleString('en'))
      .join('; '),
    `${kibibytes(storeBounds.valueBytes)}; ${kibibytes(storeBounds.workspaceBytes)}`,
    apiKeysMax,
    `${testsWaitingMax.all}; ${testsWaitingMax.each}; ${testsRunningMax.each}`,
    stepsMax,
    `${kibibytes(sizes.publishBodyBytes)}; ${kibibytes(sizes.publishedBytes)}`,
    publishedEventsMax,
    recentIdsMax,
    `${kibibytes(sizes.runBodyBytes)}; ${kibibytes(sizes.endpointBodyBytes)}`,
    kibibytes(sizes.smallBodyBytes),
    kibibytes(sizes.endpointBodyBytes),
    kibibytes(pageBytesMax),
    `${inputDepthMax}; published events ${jsonDepthMax + 3}, run ${jsonDepthMax + 1}, data store records ${jsonDepthMax}`,
    `${inputValuesMax.toLocaleString('en')}; ${dataValuesMax.toLocaleString('en')} for those three`,
    [slotLimits.usual.all, slotLimits.usual.each, slotLimits.installing.each]
      .map((count) => count.toLocaleString('en'))
      .join('; '),
    kibibytes(bodyBudgetBytes / 3),
    kibibytes(sizes.codeBytes),
    `${filesMax}; ${pathCharsMax}`,
    specifiersMax,
    `${kibibytes(installLimits.unpackedBytes)}; ${installLimits.filesMax.toLocaleString('en')}`,
    `${installLimits.packagesMax.toLocaleString('en')}; ${seconds(installLimits.timeMs)}`,
    kibibytes(bundleBytesMax),
    `${optionsMax.toLocaleString('en')}; ${kibibytes(guest.emitBytes)}`,
    ...[sizes.bundleBytes, sizes.lockBytes, sizes.propValueBytes].map(kibibytes),
    kibibytes(guest.emitBytes),
    kibibytes(guest.emittedBytesMax),
    kibibytes(guest.recordsBytesMax),
    guest.emitsMax,
    runtimeLimits.pendingOfSourceMax,
    kibibytes(guest.resultBytesMax),
    guest.depthMax,
    kibibytes(guest.manifestUnits),
    ...[guest.consoleBytes, guest.dbValueBytes, guest.dbBytes].map(kibibytes),
    dbKeyUnitsMax,
    kibibytes(guest.dbWrittenBytesMax),
    guest.dbWritesMax,
    uniqueIdsMax,
    [sandbox.runWallMs, settingBounds.timeoutMs.max].map(seconds).join('; '),
    ...[sandbox.hookWallMs, callRunTimeoutMs, sandbox.cpuMs, sandbox.sliceMs, sandbox.loadMs].map(seconds),
    [sandbox.memoryMb, settingBounds.memoryMb.max].map((count) => `${count} MiB`).join('; '),
    [guest.timersMax, guest.timerCallsMax].map((count) => count.toLocaleString('en')).join('; '),
    guest.requestsOpenMax,
    kibibytes(guest.requestBodyBytes),
    kibibytes(sandbox.network.runBytes),
    seconds(sandbox.network.timeoutMs),
    sandbox.network.redirectsMax,
    `${guest.tmpEntriesMax.toLocaleString('en')}; ${kibibytes(guest.tmpBytes)}`,
    `${eventNamesMax}; ${eventNameCharsMax}`,
    savedComponentsMax,
    runtimeLimits.queueFullAt,
    waitingCallsMax,
    waitingRetriesMax,
    `${runningReplaysMax}; ${liveReplaysMax}`,
    replayOpenMax,
    ...[sizes.answerStoredBytes, sizes.answerReadBytes].map(kibibytes),
  ].map((limit) => limit.toLocaleString('en'));
  const section = read('docs/api.md').split('\n## Limits\n')[1]?.split('\n## ')[0] ?? '';
  const shown = [...section.matchAll(/^\| (?!what|---)[^|]+ \| (.+?) +\|$/gm)].map(([, limit]) => limit);
  expect(shown).toEqual(limits);
});

test.each(documents)('every npm script that %s names exists', (path) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read(path).matchAll(/npm run (?:-s )?([a-z:]+)/g)].map(([, script]) => script ?? '');
  expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});

test.each(documents)('every file of the project that %s names exists', (path) => {
  const named = [...read(path).matchAll(/`((?:apps|libs|test|deploy|docs)\/[\w./-]+)`/g)].map(([, file]) => file ?? '');
  const wanted = named.filter((file) => !file.includes('NNNN'));
  expect(wanted.filter((file) => !existsSync(join(rootDir, file)))).toEqual([]);
});

test.each(documents)('every file that %s links to exists', (path) => {
  const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link ?? '');
  expect(links.filter((link) => !existsSync(join(rootDir, dirname(path), link)))).toEqual([]);
});

test.each(documents)('every row of a table in %s has as many cells as its head', (path) => {
  const withoutCode = read(path).replaceAll(/^```[\s\S]*?^```/gm, '');
  const tables = [...withoutCode.matchAll(/(?:^\|.*\n)+/gm)].map(([text]) => text.trimEnd().split('\n'));
  const cells = (row: string): number => row.split(/(?<!\\)\|/).length;
  expect(tables.flatMap(([head = '', ...rows]) => rows.filter((row) => cells(row) !== cells(head)))).toEqual([]);
});

test.each(namesIn('docs/decisions'))('the decision %s has its number, its state and its parts, in order', (name) => {
  const [title = '', , state = '', ...rest] = read(`docs/decisions/${name}`).split('\n');
  expect(title).toMatch(new RegExp(`^# ${name.slice(0, 4)} [A-Z]`));
  expect(state).toMatch(/^Accepted\./);
  const parts = rest.filter((line) => line.startsWith('## ')).map((line) => line.slice(3));
  const usual = ['Context', 'Decision', 'Considered', 'Consequences'];
  expect(parts.slice(0, 2)).toEqual(usual.slice(0, 2));
  expect(parts.filter((part) => usual.includes(part))).toEqual(usual.filter((part) => parts.includes(part)));
});

interface Citation {
  readonly path: string;
  readonly document: string;
  readonly heading: string | undefined;
}

const commentsOf = (path: string): string => (read(path).match(/(?<=^|\s)\/\/.*|\/\*[\s\S]*?\*\//g) ?? []).join('\n');

function trackedSources(): readonly string[] {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.js'], { cwd: rootDir, encoding: 'utf8' });
  return tracked.split('\n').filter((path) => path !== '' && existsSync(join(rootDir, path)));
}

/** Documents that comments name, each with the heading after it, if any: `docs/api.md, "Limits"`. */
function citations(path: string): readonly Citation[] {
  const found = commentsOf(path).matchAll(/([\w./-]+\.md)(?:, "([^"]+)"(?: and "([^"]+)")?)?/g);
  return [...found].flatMap(([, document = '', first, second]): readonly Citation[] => {
    const cited = { path, document, heading: first };
    return second === undefined ? [cited] : [cited, { ...cited, heading: second }];
  });
}

test('every document and section that a comment names exists', () => {
  const all = trackedSources().flatMap(citations);
  const dangling = all.filter(({ document, heading }) => {
    if (!existsSync(join(rootDir, document))) return true;
    const headings = read(document).matchAll(/^#+ (.*)$/gm);
    return heading !== undefined && ![...headings].some(([, text]) => text === heading);
  });
  expect(dangling).toEqual([]);
  expect(all.length).toBeGreaterThan(40);
});

test('every decision that a comment names exists', () => {
  const known = new Set(namesIn('docs/decisions').map((name) => name.slice(0, 4)));
  const named = trackedSources().flatMap((path) =>
    [...commentsOf(path).matchAll(/\bdecision (\d{4})\b/g)].map(([, number = '']) => ({ path, number })),
  );
  expect(named.filter(({ number }) => !known.has(number))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});
