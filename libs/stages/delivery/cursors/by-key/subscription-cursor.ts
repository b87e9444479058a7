// A subscription's own cursor, which also keeps events in order by key if its webhook asks for that.
import { beginNumbered, countFinished, assignNumber, correctCounters } from '../../../../domain/delivery/cursor.ts';
import type { FinishReason, RetryTime } from '../../../../domain/delivery/cursor.ts';
import type { OpenDelivery } from '../../../../domain/delivery/messages.ts';
import type { Millis } from '../../../../domain/message.ts';
import type { BufferedEvent, EventBuffer } from '../../events/buffer.ts';
import { SourceCursor } from '../source-cursor.ts';
import type { CursorStart } from '../cursor-start.ts';
import type { SubscriptionTarget } from '../../targets/target.ts';
import { KeyOrder, type LineState } from '../../order/key-order.ts';
import type { Line } from '../../order/line.ts';
import type { LinePage } from '../../order/line-page.ts';

export class SubscriptionCursor extends SourceCursor {
  readonly #buffer: EventBuffer;
  /** Lines and the other events take turns. */
  #isLinesTurn = true;

  /** `orderedBy`: the pointer that orders its open deliveries, as its record on the log has it. */
  constructor(
    subscription: SubscriptionTarget,
    emitterId: string,
    start: CursorStart & { readonly orderedBy?: string | undefined },
  ) {
    super(subscription, emitterId, start);
    this.#buffer = start.buffer;
    const { orderedBy, position } = start;
    if (orderedBy === undefined) this.#switchOrder();
    else this.keyOrder = new KeyOrder(orderedBy, this.#buffer);
    if (orderedBy !== undefined) for (const delivery of position.open) this.keyOrder?.restoreHead(delivery);
  }

  /** The pointer that the webhook asks for. */
  get #wantedPointer(): string | undefined {
    const { ordered, orderKey } = this.subscription.webhook;
    return ordered ? orderKey : undefined;
  }

  protected override get isStrict(): boolean {
    return super.isStrict && this.#wantedPointer === undefined;
  }

  /** Whether the order is changing: the new one begins once every event of the former one is finished. */
  get #isSwitchingOrder(): boolean {
    const wanted = this.#wantedPointer;
    if (this.subscription.webhook.ordered && this.keyOrder?.pointer !== wanted) return true;
    return wanted !== undefined && this.position.open.some(({ orderKey }) => orderKey === undefined);
  }

  override get isBlocked(): boolean {
    return super.isBlocked || this.#isSwitchingOrder || this.keyOrder?.isFull === true;
  }

  override get canStart(): boolean {
    return super.canStart || this.#hasLineTurn;
  }

  get #hasLineTurn(): boolean {
    if (this.keyOrder === undefined || this.stopped || this.subscription.opening) return false;
    return this.keyOrder.ready !== undefined || this.keyOrder.needsRead;
  }

  override get nextEvent(): BufferedEvent | undefined {
    return this.#nextLine?.next?.event ?? (this.isBlocked ? undefined : super.nextEvent);
  }

  /** The line whose event begins next; undefined: the next event is from the queue. */
  get #nextLine(): Line | undefined {
    const line = this.keyOrder?.ready;
    if (line === undefined || this.#isLinesTurn) return line;
    return this.isBlocked || this.queued === 0 ? line : undefined;
  }

  override moveToLines(): boolean {
    const keyOrder = this.keyOrder;
    if (keyOrder === undefined || this.isBlocked) return false;
    let hasMoved = false;
    for (let event = super.nextEvent; event !== undefined && !this.isBlocked; event = super.nextEvent) {
      const key = keyOrder.keyOf(event);
      // When no order is wanted any more, only events whose key still has a line must wait.
      if (!(this.#wantedPointer === undefined ? keyOrder.hasLine(key) : keyOrder.holds(key))) break;
      this.#addToLine(keyOrder, key);
      hasMoved = true;
    }
    return hasMoved;
  }

  #addToLine(keyOrder: KeyOrder, key: string): void {
    // The event's own number: events after it that the filter leaves out are counted in the same step.
    let sequence = 0;
    const event = this.takeNext((position, { offset }) => {
      const next = assignNumber(position, offset);
      sequence = next.counters.published;
      return next;
    });
    if (event !== undefined) keyOrder.add(key, { event, sequence });
  }

  override queueFromTail(event: BufferedEvent, emitted?: unknown): void {
    if (emitted !== undefined) this.keyOrder?.cacheKey(event, emitted);
    super.queueFromTail(event, emitted);
  }

  override queueFromLog(event: BufferedEvent, emitted?: unknown): void {
    if (emitted !== undefined) this.keyOrder?.cacheKey(event, emitted);
    super.queueFromLog(event, emitted);
  }

  override begin(at: Millis): BufferedEvent | undefined {
    const line = this.#nextLine;
    this.#isLinesTurn = line === undefined;
    if (line !== undefined) return this.#beginOf(line, at);
    const event = super.begin(at);
    const key = event && this.keyOf(event);
    if (key !== undefined) this.keyOrder?.noteBegin(key);
    return event;
  }

  #beginOf(line: Line, at: Millis): BufferedEvent | undefined {
    const next = this.keyOrder?.take(line);
    if (next === undefined) return undefined;
    const { event, sequence } = next;
    this.keyOrder?.noteBegin(line.key);
    const { offset } = event;
    this.currentPosition = beginNumbered(this.position, { offset, sequence, orderKey: line.key }, at);
    return event;
  }

  protected override keyOf(event: BufferedEvent): string | undefined {
    return this.#wantedPointer === undefined ? undefined : this.keyOrder?.keyOf(event);
  }

  override dropNext(): void {
    const line = this.#nextLine;
    if (line === undefined) return super.dropNext();
    if (this.keyOrder?.take(line) !== undefined) this.currentPosition = countFinished(this.position, 'deleted');
    this.#switchOrder();
  }

  override fallBehind(): void {
    super.fallBehind();
    this.keyOrder?.dropHeld();
  }

  override postpone(offset: number, until: RetryTime): void {
    const key = this.openAt(offset)?.orderKey;
    super.postpone(offset, until);
    if (key !== undefined) this.keyOrder?.noteFailure(key);
  }

  override finish(offset: number, as: FinishReason): void {
    const key = this.openAt(offset)?.orderKey;
    super.finish(offset, as);
    if (key !== undefined) this.keyOrder?.noteEnd(key);
    this.#switchOrder();
  }

  override applyOrderChange(wasOrdered: boolean): void {
    super.applyOrderChange(wasOrdered);
    this.#switchOrder();
  }

  /** Restores a delivery that has a separate record on the log. */
  restoreRetry(delivery: OpenDelivery): void {
    this.retries.restore(delivery);
    this.keyOrder?.restoreHead(delivery);
  }

  /** Restores a line; call once all deliveries of the cursor are restored. */
  restoreLine(key: string, state: LineState): void {
    this.keyOrder?.restoreLine(key, state);
  }

  /** Call when everything that the log has of the cursor is restored. */
  finishRestore(): void {
    this.#switchOrder();
  }

  /** The offset to read from for lines whose turn has come; null: there are none, or nothing can be sent. */
  get linesReadFrom(): number | null {
    return this.#hasLineTurn ? (this.keyOrder?.readFrom ?? null) : null;
  }

  /**
   * Takes a page of the log for its lines, and corrects the counters by events that are gone, or that its filter wants
   * now.
   */
  readLines(page: LinePage): void {
    const missing = this.keyOrder?.takePage(page) ?? 0;
    if (missing !== 0) this.currentPosition = correctCounters(this.position, missing);
    this.#switchOrder();
  }

  /** Gives up the waiting events on a page of the log; returns how many. */
  expireLines(page: LinePage): number {
    const count = this.keyOrder?.giveUp(page) ?? 0;
    for (let remaining = count; remaining > 0; remaining--)
      this.currentPosition = countFinished(this.position, 'overtaken');
    this.#switchOrder();
    return count;
  }

  #switchOrder(): void {
    const wanted = this.#wantedPointer;
    if (this.keyOrder?.pointer === wanted || this.keyOrder?.isEmpty === false) return;
    if (wanted !== undefined && this.position.open.length > 0) return;
    this.endedLines.push(...(this.keyOrder?.takeChanges().keys() ?? []));
    this.keyOrder = wanted === undefined ? undefined : new KeyOrder(wanted, this.#buffer);
  }
}
