// Ownership by a consumer group for each stage: the group decides who owns which partition, and consumes nothing.
import { flow, isOwning, type StageName } from '../../../domain/flow.ts';
import { marksTopic } from '../../appending/access.ts';
import { Ownership, type Membership, type OwnershipListener } from '../../ownership.ts';
import { KafkaNames } from '../kafka-names.ts';
import type { KafkaServers } from '../servers.ts';
import { ConsumerGroup } from './consumer-group.ts';
import { GroupMembership } from './group-membership.ts';

export interface KafkaOwnershipSettings extends Omit<KafkaServers, 'clientId'> {
  /** The log's common partition count. */
  readonly partitions: number;
  /** The log's prefix. */
  readonly topicPrefix?: string;
  readonly instanceId: string;
}

export class KafkaOwnership extends Ownership {
  readonly #servers: KafkaServers;
  readonly #names: KafkaNames;
  readonly #partitions: number;

  constructor(settings: KafkaOwnershipSettings) {
    super();
    this.#servers = { ...settings, clientId: `wellspring-${settings.instanceId}` };
    this.#names = new KafkaNames(settings.topicPrefix ?? '');
    this.#partitions = settings.partitions;
  }

  async follow(stage: StageName, onChange: OwnershipListener): Promise<Membership> {
    const group = new ConsumerGroup(this.#servers, {
      group: this.#names.groupId(stage),
      topic: this.#names.topic(isOwning(stage) ? marksTopic(stage) : 'channels'),
      partitions: flow[stage].owns === 'one' ? 1 : this.#partitions,
    });
    const membership = new GroupMembership(group, onChange);
    await membership.join();
    return membership;
  }
}
