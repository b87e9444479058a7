// One member of a Kafka consumer group, of which nothing is used but that it shares partitions out.
import kafkajs from 'kafkajs';
import { within } from '../../../primitives/time-limit.ts';
import { Link } from '../client/link.ts';
import { createCluster } from '../client/private-kafkajs.ts';
import type { Broker, GroupMember } from '../client/protocol.ts';
import { brokerErrorType } from '../client/kafka-errors.ts';
import { limits } from '../kafka-limits.ts';
import type { KafkaServers } from '../servers.ts';
import { assign } from './share.ts';

const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;

/** All members of a group must offer the same one; the version is of what they tell each other. */
const protocol = { name: 'wellspring-sticky', version: 1 } as const;
/** The least that brokers allow by default: a killed member's partitions have a new owner soon after. */
const sessionTimeoutMs = 6_000;
/** How long the others wait for a member that has been told to join again; it does so at its next heartbeat. */
const rebalanceTimeoutMs = 6_000;

/** What may be shared out, and among whom. */
export interface Shared {
  readonly group: string;
  /** Only shown by tools: nothing of it is consumed. */
  readonly topic: string;
  readonly partitions: number;
}

interface Coordinated {
  readonly link: Link;
  readonly coordinator: Promise<Broker>;
}

export class ConsumerGroup {
  readonly #servers: KafkaServers;
  readonly #shared: Shared;
  #coordinated: Coordinated | undefined;
  #memberId = '';
  #generationId = -1;
  #isJoining = false;

  constructor(servers: KafkaServers, shared: Shared) {
    this.#servers = servers;
    this.#shared = shared;
  }

  /** Joins, or joins again, telling what this member has, and gives what it shall run. */
  async join(has: readonly number[]): Promise<readonly number[]> {
    const { group, topic } = this.#shared;
    const userData = Buffer.from(JSON.stringify(has));
    const metadata = MemberMetadata.encode({ version: protocol.version, topics: [topic], userData });
    this.#isJoining = true;
    const joining = this.#ask(`joining the group ${group}`, rebalanceTimeoutMs, async (coordinator) => {
      const joined = await coordinator.joinGroup({
        groupId: group,
        sessionTimeout: sessionTimeoutMs,
        rebalanceTimeout: rebalanceTimeoutMs,
        memberId: this.#memberId,
        groupProtocols: [{ name: protocol.name, metadata }],
      });
      this.#memberId = joined.memberId;
      this.#generationId = joined.generationId;
      const isLeader = joined.memberId === joined.leaderId;
      const { memberAssignment } = await coordinator.syncGroup({
        groupId: group,
        generationId: joined.generationId,
        memberId: joined.memberId,
        groupAssignment: isLeader ? this.#plan(joined.members) : [],
      });
      return MemberAssignment.decode(memberAssignment)?.assignment[topic] ?? [];
    });
    return joining.finally(() => (this.#isJoining = false));
  }

  /** Throws `REBALANCE_IN_PROGRESS` when everybody shall join again. */
  async heartbeat(): Promise<void> {
    const { group } = this.#shared;
    await this.#ask(`a heartbeat to the group ${group}`, 0, (coordinator) =>
      coordinator.heartbeat({ groupId: group, groupGenerationId: this.#generationId, memberId: this.#memberId }),
    );
  }

  /** The coordinator has forgotten this member: it joins as a new one. */
  forgotten(): void {
    this.#memberId = '';
  }

  /**
   * Hands everything on at once. A broker takes the requests of a connection one after the other, and joining waits for
   * all the others: behind that it would come too late.
   */
  async leave(): Promise<void> {
    const { group } = this.#shared;
    if (this.#isJoining) this.close();
    const request = { groupId: group, memberId: this.#memberId };
    if (this.#memberId !== '') await this.#ask('leaving', 0, (coordinator) => coordinator.leaveGroup(request));
    this.close();
  }

  close(): void {
    this.#coordinated?.link.sever();
    this.#coordinated = undefined;
  }

  #plan(members: readonly GroupMember[]): readonly { memberId: string; memberAssignment: Buffer }[] {
    const { topic, partitions } = this.#shared;
    const told = members.map(({ memberId, memberMetadata }) => ({ id: memberId, has: heldBy(memberMetadata) }));
    return [...assign(told, partitions)].map(([memberId, owned]) => ({
      memberId,
      memberAssignment: MemberAssignment.encode({
        version: protocol.version,
        assignment: { [topic]: [...owned] },
        userData: Buffer.alloc(0),
      }),
    }));
  }

  /** What the coordinator says is an answer; after anything else, also what others say on the way to it, all is made anew. */
  async #ask<T>(what: string, waitMs: number, request: (coordinator: Broker) => Promise<T>): Promise<T> {
    const coordinated = (this.#coordinated ??= this.#connect());
    let found = false;
    const answer = coordinated.coordinator.then((broker) => {
      found = true;
      return request(broker);
    });
    try {
      return await within(answer, limits.requestMs + waitMs, what);
    } catch (error) {
      const type = brokerErrorType(error);
      const isUsed = coordinated === this.#coordinated;
      if (isUsed && (!found || type === undefined || type.includes('COORDINATOR'))) this.close();
      throw error;
    }
  }

  #connect(): Coordinated {
    const link = new Link(this.#servers);
    const cluster = createCluster(link.kafka);
    const coordinator = cluster.connect().then(async () => {
      await cluster.addMultipleTargetTopics([this.#shared.topic]);
      return cluster.findGroupCoordinator({ groupId: this.#shared.group });
    });
    return { link, coordinator };
  }
}

/** What cannot be read is nothing: the member gets its share all the same. */
function heldBy(metadata: Buffer): readonly number[] {
  try {
    const held: unknown = JSON.parse(MemberMetadata.decode(metadata)?.userData.toString() ?? '[]');
    return Array.isArray(held) ? held.filter((partition) => Number.isInteger(partition)) : [];
  } catch {
    return [];
  }
}
