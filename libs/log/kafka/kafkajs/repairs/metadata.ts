// Keeps metadata usable while some partition or topic has no leader.
import { createRequire } from 'node:module';
import { brokerError } from '../private-api.ts';

const require = createRequire(import.meta.url);

/** UNKNOWN_TOPIC_OR_PARTITION and LEADER_NOT_AVAILABLE: a topic that is being created or deleted. */
const toleratedCodes: readonly number[] = [3, 5];

/**
 * Without this, one partition without a leader, or any topic on the cluster that is being deleted, makes kafkajs throw all
 * metadata away: no other partition can then be read or written. With this, the partition has leader -1 and the topic
 * no partitions. Call it before the first request for metadata.
 */
export function tolerateMissingLeaders(): void {
  const response = require('kafkajs/src/protocol/requests/metadata/v0/response') as {
    parse(data: { readonly topicMetadata: readonly { readonly topicErrorCode: number }[] }): Promise<unknown>;
  };
  response.parse = async (data) => {
    const refused = data.topicMetadata.find(({ topicErrorCode: code }) => code !== 0 && !toleratedCodes.includes(code));
    if (refused !== undefined) throw brokerError(refused.topicErrorCode);
    return data;
  };
}
