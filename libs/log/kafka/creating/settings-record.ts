// The settings record: what was fixed when the log was created. It always stays the first record of its own topic.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import type { RequestLane } from '../producing/request-lane.ts';
import type { PartitionReader } from '../reading/ranges/partition-reader.ts';
import { partitionHash } from '../../../domain/flow.ts';
import { settingsTopicRecord } from './settings-topic-record.ts';

/** What is fixed when the log is created. */
export interface FixedSettings {
  readonly partitions: number;
  readonly partitionHash: string;
  /** Differs from master key to master key. Logs of earlier versions have none. */
  readonly masterKeyCheck?: string;
}

/** Only the first record counts: two processes that create the log at the same time both read the same one. */
const firstRecordBounds = { recordsMax: 1, bytesMax: 64 * 1024 } as const;
/** Only the process that creates the log waits for its own record to be readable. */
const attemptsMax = 100;
const pauseMs = 20;

interface StoredSettings {
  readonly fixed: FixedSettings;
  /** The id of the record: no two logs have the same, not even if one was deleted and created again with its topics. */
  readonly id: string;
}

/**
 * Writes the record when there is none. Returns a string that identifies this log among all logs. Throws PortError
 * `mismatch` when the log was created with other settings.
 */
export async function ensureSettings(
  topic: string,
  configured: FixedSettings,
  { reader, lane }: { readonly reader: PartitionReader; readonly lane: RequestLane },
): Promise<string> {
  let stored = await readSettings(reader, topic);
  if (stored === undefined)
    await lane.submit(settingsTopicRecord(topic, { type: 'LogCreated', key: 'log', data: configured }));
  for (let attempt = 0; stored === undefined && attempt < attemptsMax; attempt++) {
    stored = await readSettings(reader, topic);
    if (stored === undefined) await delay(pauseMs);
  }
  if (stored === undefined) throw new PortError('unavailable', `what was written to ${topic} cannot be read yet`);
  checkSettingsMatch(stored.fixed, configured, `the topics beside ${topic}`);
  return `${topic}/${stored.id}`;
}

async function readSettings(reader: PartitionReader, topic: string): Promise<StoredSettings | undefined> {
  const { messages } = await reader.page(topic, 0, 0, firstRecordBounds);
  const text = messages[0]?.value?.toString();
  if (text === undefined) return undefined;
  try {
    return { fixed: JSON.parse(text) as FixedSettings, id: String(messages[0]?.headers['ce_id']) };
  } catch (error) {
    throw new PortError('corrupt', `${topic} does not begin with the log's settings; use another topic prefix`, error);
  }
}

/** The settings with which this process was configured. */
export const fixedSettingsOf = ({
  partitions,
  masterKeyCheck,
}: Omit<FixedSettings, 'partitionHash'>): FixedSettings => ({
  partitions,
  partitionHash,
  ...(masterKeyCheck !== undefined && { masterKeyCheck }),
});

/** Throws PortError `mismatch`. */
function checkSettingsMatch(stored: FixedSettings, configured: FixedSettings, location: string): void {
  for (const name of ['partitions', 'partitionHash'] as const)
    if (stored[name] !== configured[name])
      throw new PortError(
        'mismatch',
        `the log in ${location} was created with ${name} ${stored[name]}, and here it is ${configured[name]}: ` +
          'it is fixed when the log is created; configure that one',
      );
  const { masterKeyCheck: storedKeyCheck = configured.masterKeyCheck } = stored;
  if (configured.masterKeyCheck === undefined || configured.masterKeyCheck === storedKeyCheck) return;
  throw new PortError(
    'mismatch',
    `MASTER_KEY is not the one that the log in ${location} was begun with: ` +
      'give every process the same one, or use another topic prefix for another log',
  );
}
