// The delivery that a client wants tried now or given up, with what the views showed of it when the client asked.

export interface DeliveryActionRequest {
  readonly subscriptionId: string;
  readonly emitterId: string;
  readonly eventId: string;
  readonly channel: string;
  /** The event's on `channels`; absent: the event is deleted or no longer kept, and its delivery will be discarded. */
  readonly offset?: number;
  readonly seen: {
    readonly isParked: boolean;
    readonly attempts: number;
    /** The views had read the records on `deliveries` below this offset. */
    readonly below: number;
    /** The views had read those on `channels` below this offset; absent: the sender was an older version. */
    readonly channelsBelow?: number;
  };
}
