// A delivery that delivery is asked about, with what the views showed of it to the one who asks.

export interface DeliveryAsked {
  readonly subscriptionId: string;
  readonly emitterId: string;
  readonly eventId: string;
  readonly channel: string;
  /** Of the event on `channels`. */
  readonly offset: number;
  readonly seen: {
    readonly isParked: boolean;
    readonly attempts: number;
    /** By the records on `deliveries` below this offset. */
    readonly below: number;
    /** By the records on `channels` below this offset; absent: the program that asked did not say. */
    readonly channelsBelow?: number;
  };
}
