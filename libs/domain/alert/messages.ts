// Commands and events about alerts (topics `commands` and `alerts`): troubles that an operator should attend to.
import type { MessageOf } from '../message.ts';

/** All codes that exist; docs/api.md explains each. */
export const alertCodes = [
  /** The log holds a record that cannot be used; it was skipped. Subject: the topic. */
  'malformed_record',
  /** A sealed value does not open with the key it belongs to. Subject: a source, webhook or workspace id. */
  'seal_does_not_open',
  /** The log holds a record of a newer version than this program knows; the partition waits. Subject: the topic. */
  'newer_record',
  /** A subscription has more waiting retries than allowed; the oldest are parked. Subject: the subscription's id. */
  'retries_parked',
  /** Events became older than the retention before they were delivered; given up. Subject: the subscription's id. */
  'events_expired',
  /** An event whose last retry has failed keeps the events after it waiting. Subject: the subscription's id. */
  'delivery_blocked',
  /** The receiver answered 410, and the webhook was disabled. Subject: the webhook's id. */
  'webhook_gone',
  /** For an hour or more, every attempt to the webhook has failed. Subject: the webhook's id. */
  'webhook_failing',
  /** A component ended the process that it ran in. Subject: the source's id. */
  'component_crashed',
] as const;
export type AlertCode = (typeof alertCodes)[number];

/** Neither field holds a secret, a payload or an offset. */
export interface AlertSubject {
  readonly code: AlertCode;
  /** What the alert is about; code and subject together identify it. */
  readonly subject: string;
}

/** Sent by every stage that meets the trouble, each time that it meets it. */
export type AlertCommand = MessageOf<{
  RaiseAlert: AlertSubject & {
    /** A whole sentence: the thing, the state found, and what to do. */
    readonly message: string;
    /** Epoch milliseconds: when the trouble began; absent: now. */
    readonly since?: number;
  };
  EndAlert: AlertSubject;
}>;

/** On `alerts`, compacted by code and subject: the newest record of a key holds the alert's whole state. */
export type AlertEvent = MessageOf<{
  AlertRaised: AlertSubject & {
    readonly message: string;
    /** Epoch milliseconds: when the trouble began, if that was before the alert was raised. */
    readonly since?: number;
  };
  /** It was raised again while it was live: recorded from time to time, so that it does not expire. */
  AlertContinued: AlertSubject & {
    readonly message: string;
    /** Epoch milliseconds: `since` of the AlertRaised, or else the time of its record. */
    readonly since: number;
  };
  /** The stage that raised it ended it, nobody raised it for a day, or it made room for another. */
  AlertEnded: AlertSubject;
}>;
