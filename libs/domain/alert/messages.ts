// Commands and events about alerts (topics `commands` and `alerts`): what an operator should see to.
import type { MessageOf } from '../message.ts';

/** Closed: docs/api.md explains each. */
export const alertCodes = [
  /** The log holds a record that cannot be used; it was passed over. Subject: the topic. */
  'malformed_record',
  /** What was sealed does not open with the key that it belongs to. Subject: a source, webhook or workspace id. */
  'seal_does_not_open',
  /** The log holds a record of a newer version than this program knows; the partition waits. Subject: the topic. */
  'newer_record',
  /** More retries wait than a subscription may have; the oldest are parked. Subject: the subscription's id. */
  'retries_parked',
  /** Events were older than what is kept before they were delivered, and were given up. Subject: the subscription's id. */
  'events_expired',
  /** An event past its last retry keeps those behind it waiting. Subject: the subscription's id. */
  'delivery_blocked',
  /** The receiver answered 410, and the webhook was disabled. Subject: the webhook's id. */
  'webhook_gone',
  /** For an hour or more, every attempt to the webhook has failed. Subject: the webhook's id. */
  'webhook_failing',
  /** A component ended the process that it ran in. Subject: the source's id. */
  'component_crashed',
] as const;
export type AlertCode = (typeof alertCodes)[number];

/** Neither holds a secret, a payload or an offset. */
export interface AlertSubject {
  readonly code: AlertCode;
  /** What it is about: with the code it names the alert. */
  readonly subject: string;
}

/** Sent by anyone who meets the trouble, as often as it is met. */
export type AlertCommand = MessageOf<{
  RaiseAlert: AlertSubject & {
    /** A whole sentence: the thing, the state found, and what to do. */
    readonly message: string;
    /** Epoch milliseconds: when the trouble began; absent: now. */
    readonly since?: number;
  };
  EndAlert: AlertSubject;
}>;

/** On `alerts`, compacted by code and subject: the newest record of a key says whether it is live, and all about it. */
export type AlertEvent = MessageOf<{
  AlertRaised: AlertSubject & {
    readonly message: string;
    /** Epoch milliseconds: when the trouble began, if that was before the alert was raised. */
    readonly since?: number;
  };
  /** It was raised again while it was live: recorded now and then, so that it does not run out. */
  AlertContinued: AlertSubject & {
    readonly message: string;
    /** Epoch milliseconds: what the AlertRaised says, or when it was recorded. */
    readonly since: number;
  };
  /** By whoever raised it, because nobody raised it for a day, or to make room. */
  AlertEnded: AlertSubject;
}>;
