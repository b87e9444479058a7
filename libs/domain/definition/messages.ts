// What definitions share: which request made a thing, what its key led to, and that all of a topic's definitions are there.
import type { MessageOf } from '../message.ts';
import type { DeployRefusal } from './deploy-refusal.ts';

/** What every creating command carries so that a repeat can be told from a conflict. */
export interface Repeatable {
  /** Hex SHA-256 of the canonical request; null when no Idempotency-Key was given. */
  readonly fingerprint: string | null;
  /** Names workspace, route and Idempotency-Key; absent: the id of what is made does, or there is no key. */
  readonly requestKey?: string;
}

/** The request with an Idempotency-Key that made it; null: there was no key, or it is forgotten. */
export interface MadeBy {
  /** Names workspace, route and Idempotency-Key. */
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
    /** Of the definitions, from 1. */
    readonly format: number;
  };
}>;

/** The outcome of an Idempotency-Key that no current definition records. Without data: the key is forgotten. */
export type AnswerEvent = MessageOf<{
  AnswerKept: MadeBy & {
    /** Of what was made. */
    readonly id: string;
    /** Why a deploy was refused, for repeats of the request; null: the record was deleted, unless `stands`. */
    readonly refusal: DeployRefusal | null;
    /** It was made by another request, and stood then. */
    readonly stands?: boolean;
  };
}>;
