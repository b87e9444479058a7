// Queues waiting items: workspaces take turns, the sources of each workspace take turns, and each source's items stay
// in order.
import { Fifo } from '../../../primitives/collections/fifo.ts';

interface SourceItem {
  readonly workspace: string;
  readonly sourceId: string;
}

export class FairSourceQueue<T extends SourceItem> {
  /** Items by workspace and source; on both levels, the first is the one whose turn it is. */
  readonly #workspaces = new Map<string, Map<string, Fifo<T>>>();

  get isEmpty(): boolean {
    return this.#workspaces.size === 0;
  }

  push(item: T): void {
    const { workspace, sourceId } = item;
    const sources = this.#workspaces.get(workspace) ?? new Map<string, Fifo<T>>();
    this.#workspaces.set(workspace, sources);
    const queue = sources.get(sourceId) ?? new Fifo<T>();
    sources.set(sourceId, queue);
    queue.push(item);
  }

  peek(): T | undefined {
    const [sources] = this.#workspaces.values();
    const [queue] = sources?.values() ?? [];
    return queue?.peek();
  }

  /** Removes the first item; then it is the turn of another workspace, and there of another source. */
  shift(): void {
    this.#turn((queue) => queue.shift());
  }

  /** Removes and returns all items of the source whose turn it is. */
  shiftSource(): readonly T[] {
    let all: readonly T[] = [];
    this.#turn((queue) => (all = queue.drain()));
    return all;
  }

  #turn(take: (queue: Fifo<T>) => void): void {
    const [first] = this.#workspaces;
    if (first === undefined) return;
    const [workspace, sources] = first;
    const [source] = sources;
    if (source === undefined) return;
    const [sourceId, queue] = source;
    take(queue);
    sources.delete(sourceId);
    if (queue.length > 0) sources.set(sourceId, queue);
    this.#workspaces.delete(workspace);
    if (sources.size > 0) this.#workspaces.set(workspace, sources);
  }
}
