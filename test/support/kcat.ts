// Topics as kcat shows them, which knows nothing of this project: every committed record from the beginning.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface KcatRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed; undefined where the value is empty. */
  readonly data: unknown;
}

/** As `kcat -J` prints it. */
interface Printed {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  /** Names and values in turn; absent where a stranger wrote none. */
  readonly headers?: readonly string[];
  readonly payload: string | null;
}

/** A topic is read in well below a second. */
const timeoutMs = 30_000;
/** What a test leaves on a topic is a few hundred kilobytes. */
const outputBytesMax = 256 * 1024 * 1024;

export const isKcatThere = (): Promise<boolean> =>
  promisify(execFile)('kcat', ['-V']).then(
    () => true,
    () => false,
  );

/** Puts what is no record of the service's onto a topic, as somebody might who has the brokers' address. */
export async function writeStray(brokers: string, topic: string, key: string): Promise<void> {
  const writing = promisify(execFile)('kcat', ['-P', '-b', brokers, '-t', topic, '-k', key], { timeout: timeoutMs });
  writing.child.stdin?.end('{}');
  await writing;
}

/** Every record that is committed now, by partition and offset. */
export async function readTopic(brokers: string, topic: string): Promise<readonly KcatRecord[]> {
  const how = ['-C', '-q', '-J', '-e', '-o', 'beginning', '-X', 'isolation.level=read_committed'];
  const { stdout } = await promisify(execFile)('kcat', [...how, '-b', brokers, '-t', topic], {
    timeout: timeoutMs,
    maxBuffer: outputBytesMax,
  });
  const records = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordOf(JSON.parse(line) as Printed));
  return records.sort((a, b) => a.partition - b.partition || a.offset - b.offset);
}

function recordOf({ topic, partition, offset, key, headers = [], payload }: Printed): KcatRecord {
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : []));
  const data = payload === null || payload === '' ? undefined : (JSON.parse(payload) as unknown);
  return { topic, partition, offset, key, headers: Object.fromEntries(pairs) as Record<string, string>, data };
}
