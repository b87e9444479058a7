// Reads every committed record of a topic with kcat, which is independent of this project.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface KcatRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed; undefined if the value is empty. */
  readonly data: unknown;
}

/** A record as `kcat -J` prints it. */
interface KcatJson {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  /** Names and values in turn; absent on a foreign record without headers. */
  readonly headers?: readonly string[];
  readonly payload: string | null;
}

/** Reading a topic takes far less than a second. */
const timeoutMs = 30_000;
/** A test leaves a few hundred kilobytes on a topic. */
const outputBytesMax = 256 * 1024 * 1024;

export const isKcatInstalled = (): Promise<boolean> =>
  promisify(execFile)('kcat', ['-V']).then(
    () => true,
    () => false,
  );

/** Writes a record that is not the service's to a topic, as anybody with the brokers' address can. */
export async function writeStray(brokers: string, topic: string, key: string): Promise<void> {
  const process = promisify(execFile)('kcat', ['-P', '-b', brokers, '-t', topic, '-k', key], { timeout: timeoutMs });
  process.child.stdin?.end('{}');
  await process;
}

/** Every currently committed record, ordered by partition and offset. */
export async function readTopic(brokers: string, topic: string): Promise<readonly KcatRecord[]> {
  const options = ['-C', '-q', '-J', '-e', '-o', 'beginning', '-X', 'isolation.level=read_committed'];
  const { stdout } = await promisify(execFile)('kcat', [...options, '-b', brokers, '-t', topic], {
    timeout: timeoutMs,
    maxBuffer: outputBytesMax,
  });
  const records = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordOf(JSON.parse(line) as KcatJson));
  return records.sort((a, b) => a.partition - b.partition || a.offset - b.offset);
}

function recordOf({ topic, partition, offset, key, headers = [], payload }: KcatJson): KcatRecord {
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : []));
  const data = payload === null || payload === '' ? undefined : (JSON.parse(payload) as unknown);
  return { topic, partition, offset, key, headers: Object.fromEntries(pairs) as Record<string, string>, data };
}
