// Makes the records that the log itself writes to its settings topic.
import { randomUUID } from 'node:crypto';
import type { OutboundRecord } from '../kafkajs/producer/outbound-record.ts';

export function settingsTopicRecord(
  topic: string,
  { type, key, data }: { readonly type: string; readonly key: string; readonly data: object },
): OutboundRecord {
  const value = JSON.stringify(data);
  const at = Date.now();
  return {
    topic,
    partition: 0,
    key,
    value,
    headers: {
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: `settings-${at}-${randomUUID()}`,
      ce_type: type,
      ce_source: '/wellspring/settings',
      ce_time: new Date(at).toISOString(),
    },
    timestamp: String(at),
    bytes: value.length,
  };
}
