// One member of a Kafka consumer group. The group only assigns partitions; it consumes nothing.
import kafkajs from 'kafkajs';
import { within } from '../../../primitives/time-limit.ts';
import { Link } from '../kafkajs/client/link.ts';
import { createCluster } from '../kafkajs/private-api.ts';
import type { Broker, GroupMember } from '../kafkajs/kafka-protocol.ts';
import { brokerErrorType } from '../kafkajs/client/kafka-errors.ts';
import { limits } from '../kafka-limits.ts';
import type { KafkaServers } from '../servers.ts';
import { assign } from './share.ts';

const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;

/** All members of a group must offer the same protocol; the version is that of the data they exchange. */
const protocol = { name: 'wellspring-sticky', version: 1 } as const;
/** The minimum that brokers allow by default, so that a killed member's partitions soon have a new owner. */
const sessionTimeoutMs = 6_000;
/** How long the others wait for a member that must rejoin; it does so at its next heartbeat. */
const rebalanceTimeoutMs = 6_000;

/** The partitions that a group shares out. */
export interface GroupSettings {
  readonly group: string;
  /** Only shown by tools: nothing is consumed from it. */
  readonly topic: string;
  readonly partitions: number;
}

interface CoordinatorConnection {
  readonly link: Link;
  readonly coordinator: Promise<Broker>;
}

export class ConsumerGroup {
  readonly #servers: KafkaServers;
  readonly #settings: GroupSettings;
  #connection: CoordinatorConnection | undefined;
  #memberId = '';
  #generationId = -1;
  #isJoining = false;

  constructor(servers: KafkaServers, settings: GroupSettings) {
    this.#servers = servers;
    this.#settings = settings;
  }

  /** Joins or rejoins: reports which partitions this member has, and returns those that it is to run. */
  async join(heldPartitions: readonly number[]): Promise<readonly number[]> {
    const { group, topic } = this.#settings;
    const userData = Buffer.from(JSON.stringify(heldPartitions));
    const metadata = MemberMetadata.encode({ version: protocol.version, topics: [topic], userData });
    this.#isJoining = true;
    const joining = this.#requestCoordinator(`joining the group ${group}`, rebalanceTimeoutMs, async (coordinator) => {
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
        groupAssignment: isLeader ? this.#planAssignments(joined.members) : [],
      });
      return MemberAssignment.decode(memberAssignment)?.assignment[topic] ?? [];
    });
    return joining.finally(() => (this.#isJoining = false));
  }

  /** Throws `REBALANCE_IN_PROGRESS` when all members must rejoin. */
  async heartbeat(): Promise<void> {
    const { group } = this.#settings;
    await this.#requestCoordinator(`a heartbeat to the group ${group}`, 0, (coordinator) =>
      coordinator.heartbeat({ groupId: group, groupGenerationId: this.#generationId, memberId: this.#memberId }),
    );
  }

  /** To be called when the coordinator no longer knows this member: the next join is that of a new member. */
  forgetMember(): void {
    this.#memberId = '';
  }

  /**
   * Leaves the group, so that other members get all partitions at once. A broker handles the requests of a connection
   * one after the other, and a join waits for all members: while one is pending, a new connection is used.
   */
  async leave(): Promise<void> {
    const { group } = this.#settings;
    if (this.#isJoining) this.close();
    const request = { groupId: group, memberId: this.#memberId };
    if (this.#memberId !== '')
      await this.#requestCoordinator('leaving', 0, (coordinator) => coordinator.leaveGroup(request));
    this.close();
  }

  close(): void {
    this.#connection?.link.sever();
    this.#connection = undefined;
  }

  #planAssignments(members: readonly GroupMember[]): readonly { memberId: string; memberAssignment: Buffer }[] {
    const { topic, partitions } = this.#settings;
    const memberStates = members.map(({ memberId, memberMetadata }) => ({
      id: memberId,
      has: heldPartitionsOf(memberMetadata),
    }));
    return [...assign(memberStates, partitions)].map(([memberId, owned]) => ({
      memberId,
      memberAssignment: MemberAssignment.encode({
        version: protocol.version,
        assignment: { [topic]: [...owned] },
        userData: Buffer.alloc(0),
      }),
    }));
  }

  /**
   * When the coordinator itself answers with an error, the connection is kept. After any other failure, even one while
   * looking for the coordinator, all connections are opened again.
   */
  async #requestCoordinator<T>(
    operation: string,
    waitMs: number,
    request: (coordinator: Broker) => Promise<T>,
  ): Promise<T> {
    const connection = (this.#connection ??= this.#connect());
    let coordinatorFound = false;
    const response = connection.coordinator.then((broker) => {
      coordinatorFound = true;
      return request(broker);
    });
    try {
      return await within(response, limits.requestMs + waitMs, operation);
    } catch (error) {
      const type = brokerErrorType(error);
      const isCurrent = connection === this.#connection;
      if (isCurrent && (!coordinatorFound || type === undefined || type.includes('COORDINATOR'))) this.close();
      throw error;
    }
  }

  #connect(): CoordinatorConnection {
    const link = new Link(this.#servers);
    const cluster = createCluster(link.kafka);
    const coordinator = cluster.connect().then(async () => {
      await cluster.addMultipleTargetTopics([this.#settings.topic]);
      return cluster.findGroupCoordinator({ groupId: this.#settings.group });
    });
    return { link, coordinator };
  }
}

/** Unreadable metadata counts as having nothing: the member gets its share all the same. */
function heldPartitionsOf(metadata: Buffer): readonly number[] {
  try {
    const held: unknown = JSON.parse(MemberMetadata.decode(metadata)?.userData.toString() ?? '[]');
    return Array.isArray(held) ? held.filter((partition) => Number.isInteger(partition)) : [];
  } catch {
    return [];
  }
}
