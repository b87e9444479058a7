// Types of the Kafka protocol's requests and answers, as kafkajs has them beneath its clients.

type ByTopic<T> = readonly { readonly topic: string; readonly partitions: readonly T[] }[];

/** A record as the fetch protocol decodes it, control records and aborted ones included. */
export interface RawMessage {
  readonly offset: string;
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, Buffer | readonly Buffer[] | undefined>>;
  readonly isControlRecord: boolean;
  readonly batchContext: {
    readonly firstOffset: string;
    readonly lastOffsetDelta: number;
    readonly producerId: string;
    readonly inTransaction: boolean;
  };
}

export interface AbortedTransaction {
  readonly producerId: string;
  readonly firstOffset: string;
}

export interface RawPartition {
  readonly partition: number;
  readonly lastStableOffset: string;
  readonly abortedTransactions: readonly AbortedTransaction[] | null;
  readonly messages: readonly RawMessage[];
}

export interface FetchRequest {
  readonly replicaId: -1;
  /** 1: up to the last stable offset, with the list of aborted transactions. */
  readonly isolationLevel: 1;
  readonly maxWaitTime: number;
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly topics: ByTopic<{
    readonly partition: number;
    readonly fetchOffset: string;
    readonly maxBytes: number;
    readonly currentLeaderEpoch: -1;
    readonly logStartOffset: -1;
  }>;
}

export interface GroupMember {
  readonly memberId: string;
  readonly memberMetadata: Buffer;
}

/** Records of one partition that are produced together. */
export interface ProducedPartition {
  readonly partition: number;
  /** The sequence number of the first record, by which the leader knows what it has already appended. */
  readonly firstSequence: number;
  readonly messages: readonly {
    readonly key: string;
    readonly value: string | null;
    readonly headers: Readonly<Record<string, string>>;
    /** Epoch milliseconds. */
    readonly timestamp: string;
  }[];
}

export interface ProducerIdentity {
  readonly producerId: string;
  readonly producerEpoch: number;
}

export interface Broker {
  produce(
    request: ProducerIdentity & {
      readonly transactionalId: string | undefined;
      readonly acks: -1;
      /** How long the leader waits for the replicas, in milliseconds. */
      readonly timeout: number;
      readonly compression: number;
      readonly topicData: ByTopic<ProducedPartition>;
    },
  ): Promise<{
    readonly topics: readonly {
      readonly topicName: string;
      readonly partitions: readonly { readonly partition: number; readonly baseOffset: string }[];
    }[];
  }>;
  initProducerId(request: {
    readonly transactionalId: string | undefined;
    readonly transactionTimeout: number;
  }): Promise<ProducerIdentity>;
  addPartitionsToTxn(
    request: ProducerIdentity & {
      readonly transactionalId: string;
      readonly topics: ByTopic<number>;
    },
  ): Promise<unknown>;
  endTxn(
    request: ProducerIdentity & { readonly transactionalId: string; readonly transactionResult: boolean },
  ): Promise<unknown>;
  joinGroup(request: {
    readonly groupId: string;
    readonly sessionTimeout: number;
    readonly rebalanceTimeout: number;
    readonly memberId: string;
    readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[];
  }): Promise<{
    readonly generationId: number;
    readonly memberId: string;
    readonly leaderId: string;
    /** Sent to the group's leader only. */
    readonly members: readonly GroupMember[];
  }>;
  syncGroup(request: {
    readonly groupId: string;
    readonly generationId: number;
    readonly memberId: string;
    readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
  }): Promise<{ readonly memberAssignment: Buffer }>;
  heartbeat(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
  }): Promise<unknown>;
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
  fetch(request: FetchRequest): Promise<{
    readonly responses: readonly { readonly topicName: string; readonly partitions: readonly RawPartition[] }[];
  }>;
  listOffsets(request: {
    readonly replicaId: -1;
    /** 0: up to the high watermark, undecided records included. 1: up to the last stable offset. */
    readonly isolationLevel: 0 | 1;
    readonly topics: ByTopic<{ readonly partition: number; readonly timestamp: string }>;
  }): Promise<{ readonly responses: ByTopic<{ readonly partition: number; readonly offset: string }> }>;
  deleteRecords(request: {
    readonly topics: ByTopic<{ readonly partition: number; readonly offset: string }>;
  }): Promise<unknown>;
  readonly connectionPool: { send<T>(exchange: Exchange<T>): Promise<T> };
}

/** A request that kafkajs does not have, and how its answer is read. */
export interface Exchange<T> {
  readonly request: {
    readonly apiKey: number;
    readonly apiVersion: number;
    readonly apiName: string;
    readonly encode: () => Promise<EncoderResult>;
  };
  readonly response: {
    readonly decode: (answer: Buffer) => T;
    readonly parse: (decoded: T) => T;
  };
}

/** The result of an encoder, in the form that kafkajs expects. */
export interface EncoderResult {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}
