// A subscription's own cursor, which also keeps events in order by key if its webhook asks for that.
import { beginNumbered, counted, numbered, recounted } from '../../../../domain/delivery/cursor.ts';
import type { Finish, Postponed } from '../../../../domain/delivery/cursor.ts';
import type { OpenDelivery } from '../../../../domain/delivery/messages.ts';
import type { Millis } from '../../../../domain/message.ts';
import type { BufferedEvent, EventBuffer } from '../../events/buffer.ts';
import { SourceCursor } from '../source-cursor.ts';
import type { CursorPlace } from '../cursor-place.ts';
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
    place: CursorPlace & { readonly orderedBy?: string | undefined },
  ) {
    super(subscription, emitterId, place);
    this.#buffer = place.buffer;
    const { orderedBy, position } = place;
    if (orderedBy === undefined) this.#goOver();
    else this.order = new KeyOrder(orderedBy, this.#buffer);
    if (orderedBy !== undefined) for (const delivery of position.open) this.order?.restoreHead(delivery);
  }

  /** The pointer that the webhook asks for. */
  get #wanted(): string | undefined {
    const { ordered, orderKey } = this.subscription.webhook;
    return ordered ? orderKey : undefined;
  }

  protected override get isStrict(): boolean {
    return super.isStrict && this.#wanted === undefined;
  }

  /** Whether the order is changing: the new one begins once every event of the former one is finished. */
  get #isGoingOver(): boolean {
    const wanted = this.#wanted;
    if (this.subscription.webhook.ordered && this.order?.pointer !== wanted) return true;
    return wanted !== undefined && this.position.open.some(({ orderKey }) => orderKey === undefined);
  }

  override get blocked(): boolean {
    return super.blocked || this.#isGoingOver || this.order?.isFull === true;
  }

  override get startable(): boolean {
    return super.startable || this.#hasLineTurn;
  }

  get #hasLineTurn(): boolean {
    if (this.order === undefined || this.stopped || this.subscription.opening) return false;
    return this.order.ready !== undefined || this.order.isHungry;
  }

  override get upNext(): BufferedEvent | undefined {
    return this.#nextLine?.next?.event ?? (this.blocked ? undefined : super.upNext);
  }

  /** The line whose event begins next; undefined: the next event is from the queue. */
  get #nextLine(): Line | undefined {
    const line = this.order?.ready;
    if (line === undefined || this.#isLinesTurn) return line;
    return this.blocked || this.queued === 0 ? line : undefined;
  }

  override settleNext(): boolean {
    const order = this.order;
    if (order === undefined || this.blocked) return false;
    let hasMoved = false;
    for (let event = super.upNext; event !== undefined && !this.blocked; event = super.upNext) {
      const key = order.keyOf(event);
      // When no order is wanted any more, only events whose key still has a line must wait.
      if (!(this.#wanted === undefined ? order.hasLine(key) : order.holds(key))) break;
      this.#setBehind(order, key);
      hasMoved = true;
    }
    return hasMoved;
  }

  #setBehind(order: KeyOrder, key: string): void {
    // The event's own number: events after it that the filter leaves out are counted in the same step.
    let sequence = 0;
    const event = this.takeNext((position, { offset }) => {
      const next = numbered(position, offset);
      sequence = next.counters.published;
      return next;
    });
    if (event !== undefined) order.add(key, { event, sequence });
  }

  override offer(event: BufferedEvent, emitted?: unknown): void {
    if (emitted !== undefined) this.order?.note(event, emitted);
    super.offer(event, emitted);
  }

  override catchUp(event: BufferedEvent, emitted?: unknown): void {
    if (emitted !== undefined) this.order?.note(event, emitted);
    super.catchUp(event, emitted);
  }

  override begin(at: Millis): BufferedEvent | undefined {
    const line = this.#nextLine;
    this.#isLinesTurn = line === undefined;
    if (line !== undefined) return this.#beginOf(line, at);
    const event = super.begin(at);
    const key = event && this.keyOf(event);
    if (key !== undefined) this.order?.begins(key);
    return event;
  }

  #beginOf(line: Line, at: Millis): BufferedEvent | undefined {
    const next = this.order?.take(line);
    if (next === undefined) return undefined;
    const { event, sequence } = next;
    this.order?.begins(line.key);
    const { offset } = event;
    this.place = beginNumbered(this.position, { offset, sequence, orderKey: line.key }, at);
    return event;
  }

  protected override keyOf(event: BufferedEvent): string | undefined {
    return this.#wanted === undefined ? undefined : this.order?.keyOf(event);
  }

  override expireNext(): void {
    const line = this.#nextLine;
    if (line === undefined) return super.expireNext();
    if (this.order?.take(line) !== undefined) this.place = counted(this.position, 'deleted');
    this.#goOver();
  }

  override fallBehind(): void {
    super.fallBehind();
    this.order?.forget();
  }

  override postpone(offset: number, until: Postponed): void {
    const key = this.openAt(offset)?.orderKey;
    super.postpone(offset, until);
    if (key !== undefined) this.order?.fails(key);
  }

  override finish(offset: number, as: Finish): void {
    const key = this.openAt(offset)?.orderKey;
    super.finish(offset, as);
    if (key !== undefined) this.order?.ends(key);
    this.#goOver();
  }

  override reorder(wasOrdered: boolean): void {
    super.reorder(wasOrdered);
    this.#goOver();
  }

  /** Restores a delivery that has a separate record on the log. */
  restoreAside(delivery: OpenDelivery): void {
    this.aside.restore(delivery);
    this.order?.restoreHead(delivery);
  }

  /** Restores a line; call once all deliveries of the cursor are restored. */
  restoreLine(key: string, state: LineState): void {
    this.order?.restoreLine(key, state);
  }

  /** Call when everything that the log has of the cursor is restored. */
  restored(): void {
    this.#goOver();
  }

  /** The offset to read from for lines whose turn has come; null: there are none, or nothing can be sent. */
  get linesReadFrom(): number | null {
    return this.#hasLineTurn ? (this.order?.readFrom ?? null) : null;
  }

  /**
   * Takes a page of the log for its lines, and corrects the counters by events that are gone, or that its filter wants
   * now.
   */
  readLines(page: LinePage): void {
    const missing = this.order?.read(page) ?? 0;
    if (missing !== 0) this.place = recounted(this.position, missing);
    this.#goOver();
  }

  /** Gives up the waiting events on a page of the log; returns how many. */
  expireLines(page: LinePage): number {
    const count = this.order?.giveUp(page) ?? 0;
    for (let left = count; left > 0; left--) this.place = counted(this.position, 'overtaken');
    this.#goOver();
    return count;
  }

  #goOver(): void {
    const wanted = this.#wanted;
    if (this.order?.pointer === wanted || this.order?.isEmpty === false) return;
    if (wanted !== undefined && this.position.open.length > 0) return;
    this.endedLines.push(...(this.order?.takeChanges().keys() ?? []));
    this.order = wanted === undefined ? undefined : new KeyOrder(wanted, this.#buffer);
  }
}
