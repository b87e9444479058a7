// Parts and messages that all definitions share: the request that made a thing, kept answers, and completeness.
import type { MessageOf } from '../message.ts';
import type { DeployRefusal } from './deploy-refusal.ts';

/** Fields of every creating command, by which a repeat is told from a conflict. */
export interface Repeatable {
  /** Hex SHA-256 of the canonical request; null when no Idempotency-Key was given. */
  readonly fingerprint: string | null;
  /** Identifies workspace, route and Idempotency-Key; absent: the id of the created thing does, or there is no key. */
  readonly requestKey?: string;
}

/** The request with an Idempotency-Key that made a thing; null where used: there was no key, or it is forgotten. */
export interface MadeBy {
  /** Identifies workspace, route and Idempotency-Key. */
  readonly key: string;
  readonly fingerprint: string;
  /** Epoch ms: 24 hours later the key is new again. */
  readonly answeredAt: number;
}

/**
 * In each partition of `sources`, `webhooks` and `subscriptions`: every definition that follows from the histories is
 * there now. Before this record definitions may be incomplete.
 */
export type DefinitionsEvent = MessageOf<{
  DefinitionsFolded: {
    /** The format of the definitions, counted from 1. */
    readonly format: number;
  };
}>;

/** The outcome of an Idempotency-Key that no current definition records. Without data: the key is forgotten. */
export type AnswerEvent = MessageOf<{
  AnswerKept: MadeBy & {
    /** The id of the thing that the request made. */
    readonly id: string;
    /** Why a deploy was refused, for repeats of the request; null: the record was deleted, unless `stands`. */
    readonly refusal: DeployRefusal | null;
    /** The thing was made by another request, and existed when this one was answered. */
    readonly stands?: boolean;
  };
}>;
