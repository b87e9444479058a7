// The addresses of a Kafka cluster, and how to connect to it.
import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

export interface KafkaServers {
  /** `host:port` of some brokers; the others are learned from them. */
  readonly brokers: readonly string[];
  /** TLS: `true` with the system's authorities, or options. */
  readonly ssl?: boolean | ConnectionOptions | undefined;
  readonly sasl?: KafkaCredentials | undefined;
  /** Shown in the brokers' logs and quotas. */
  readonly clientId: string;
  /** How connections are made; tests pass a function that breaks them. */
  readonly dial?: Dial | undefined;
}

export interface KafkaCredentials {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

export interface DialTarget {
  readonly host: string;
  readonly port: number;
  /** As configured: absent, null and `false` mean a plain connection. */
  readonly ssl?: ConnectionOptions | boolean | null;
  readonly onConnect: () => void;
}

export type Dial = (target: DialTarget) => Socket;
