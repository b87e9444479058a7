// The delivery that a client wants tried now or given up, with what the views showed of it when the client asked.

export interface DeliveryAsked {
  readonly subscriptionId: string;
  readonly emitterId: string;
  readonly eventId: string;
  readonly channel: string;
  /** Of the event on `channels`; absent: the event is deleted, or not kept any more, and its delivery is to be discarded. */
  readonly offset?: number;
  readonly seen: {
    readonly isParked: boolean;
    readonly attempts: number;
    /** By the records on `deliveries` below this offset. */
    readonly below: number;
    /** By the records on `channels` below this offset; absent: the program that asked did not say. */
    readonly channelsBelow?: number;
  };
}
