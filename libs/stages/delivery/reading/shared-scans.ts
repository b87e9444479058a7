// Lets scans of one source that begin together share one pass, such as a thousand replays that count its events.
import { isEverySource } from '../../../domain/delivery/matching.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { pacedReader, sourcePages, type ScanPage, type SourceScanRange, type SourceScanOptions } from './scan.ts';

/** While a source is being read, scans that come too late to join are collected for this long, and begin together. */
const gatherMs = 250;
/** Records handed out in one turn of the event loop, about a millisecond; a page with many members takes several. */
const turnRecords = 4_096;
/** The cost of a visit to a member without records, expressed in records: many can end in the same turn. */
const visitRecords = 8;
/**
 * Members without records in a page that are informed of their progress at each page; if there are more, they take
 * turns.
 */
const notifiedMax = 512;
/** The most scans of every source for one workspace in the shared pass, since each page is handed to all of them. */
const wideScansMax = 16;

type Records = readonly RecordOn<'channels'>[];
type OnRecord = (record: RecordOn<'channels'>) => void;

interface SharedScanRange extends Omit<SourceScanRange, 'onlyDeletions'> {
  /** Only records of this workspace are wanted; undefined: those of all workspaces. */
  readonly workspace?: string;
}

/** One scan in a pass, for a replay or a new subscription. There can be many thousands. */
interface Member extends SharedScanRange {
  readonly take: OnRecord;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export class SharedScans {
  readonly #options: SourceScanOptions;
  /** Sources being read, by id; further scans of every source by a workspace have a key with its id. */
  readonly #sources = new Map<string, SharedSource>();
  /** How many scans of every source each workspace has in the shared pass. */
  readonly #wideScans = new Map<string, number>();

  constructor(options: SourceScanOptions) {
    this.#options = options;
  }

  /**
   * Like `scanSource`, but when thousands of scans find nothing in a page, each is informed of its progress some pages
   * later.
   */
  scan(range: SharedScanRange, take: OnRecord): Promise<void> {
    const { emitterId, workspace } = range;
    if (workspace === undefined || !isEverySource(emitterId)) return this.#read(emitterId, range, take);
    if ((this.#wideScans.get(workspace) ?? 0) >= wideScansMax)
      return this.#read(`${emitterId} ${workspace}`, range, take);
    this.#count(workspace, 1);
    const scanned = this.#read(emitterId, range, take);
    const onEnded = (): void => this.#count(workspace, -1);
    scanned.then(onEnded, onEnded);
    return scanned;
  }

  #count(workspace: string, change: 1 | -1): void {
    const count = (this.#wideScans.get(workspace) ?? 0) + change;
    if (count > 0) this.#wideScans.set(workspace, count);
    else this.#wideScans.delete(workspace);
  }

  #read(key: string, range: SharedScanRange, take: OnRecord): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const known = this.#sources.get(key);
    const source = known ?? new SharedSource(this.#options, range.emitterId, () => this.#sources.delete(key));
    if (known === undefined) this.#sources.set(key, source);
    source.add({ ...range, take, resolve, reject });
    return promise;
  }
}

/** The passes over one source. */
class SharedSource {
  readonly #options: SourceScanOptions;
  readonly #emitterId: string;
  readonly #onEnded: () => void;
  readonly #passes = new Set<Pass>();
  #waiting: Member[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beganAt = 0;

  constructor(options: SourceScanOptions, emitterId: string, onEnded: () => void) {
    this.#options = options;
    this.#emitterId = emitterId;
    this.#onEnded = onEnded;
  }

  add(member: Member): void {
    if (this.#passes.size === 0) return this.#startPass(member);
    if (this.#join(member)) return;
    this.#waiting.push(member);
    const gatherLeftMs = gatherMs - (performance.now() - this.#beganAt);
    if (gatherLeftMs <= 0) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), gatherLeftMs).unref();
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting.splice(0).toSorted((a, b) => a.from - b.from);
    for (const member of waiting) this.#startPass(member);
  }

  #join(member: Member): boolean {
    for (const pass of this.#passes) if (pass.join(member)) return true;
    return false;
  }

  #startPass(member: Member): void {
    if (this.#join(member)) return;
    this.#beganAt = performance.now();
    const pass = new Pass(member);
    this.#passes.add(pass);
    void pass.read(this.#options, this.#emitterId).then(() => this.#passEnded(pass));
  }

  #passEnded(pass: Pass): void {
    this.#passes.delete(pass);
    if (this.#passes.size > 0) return;
    if (this.#waiting.length > 0) this.#begin();
    else this.#onEnded();
  }
}

/** Reads forward until all of its members have reached their ends. */
class Pass {
  readonly #members = new Set<Member>();
  readonly #byWorkspace = new Map<string | undefined, Set<Member>>();
  /** The offset of the next page; records below it are not handed to members that join. */
  #next: number;
  /** The first and last end of members, as far as known: ends can move, but never back. */
  #ends = { first: Infinity, last: 0 };
  /** Iterates over the members that are informed of their progress next. */
  #nextNotified = this.#members.values();
  #isOver = false;

  constructor(first: Member) {
    this.#next = first.from;
    this.#add(first);
  }

  /**
   * Adds a member. False: the pass is over or past the member's start, or the start is further ahead than its range is
   * long.
   */
  join(member: Member): boolean {
    const ahead = member.from - this.#next;
    if (this.#isOver || ahead < 0 || ahead > member.to() - member.from) return false;
    this.#add(member);
    return true;
  }

  /** Reads all pages. Never rejects; an error rejects the scans of its members. */
  async read(options: SourceScanOptions, emitterId: string): Promise<void> {
    const readNext = pacedReader(sourcePages(options, emitterId), options);
    try {
      while (this.#needsPage()) {
        const at = this.#next;
        const page = await readNext(at, () => this.#end());
        if (page.next <= at) break;
        this.#next = page.next;
        await this.#distribute(page);
      }
      for (const { resolve } of this.#members) resolve();
    } catch (error) {
      for (const { reject } of this.#members) reject(error);
    }
    this.#isOver = true;
    this.#members.clear();
    this.#byWorkspace.clear();
  }

  #add(member: Member): void {
    this.#members.add(member);
    const { workspace } = member;
    const members = this.#byWorkspace.get(workspace);
    if (members === undefined) this.#byWorkspace.set(workspace, new Set([member]));
    else members.add(member);
    this.#noteEnd(member.to());
  }

  #noteEnd(to: number): void {
    this.#ends = { first: Math.min(this.#ends.first, to), last: Math.max(this.#ends.last, to) };
  }

  /** Whether a member still needs a page; ends the members before the first one that does. */
  #needsPage(): boolean {
    for (const member of this.#members) if (!this.#endAt(member, this.#next)) return true;
    return false;
  }

  /** The offset to read to, which is above `#next` while a member continues. */
  #end(): number {
    const [first] = this.#members;
    return Math.max(this.#ends.last, first?.to() ?? 0);
  }

  /** Hands the page out: each member gets its part in one turn, and ends in that turn if its range is complete. */
  async #distribute({ records, next }: ScanPage<'channels'>): Promise<void> {
    const parts = new Map<string | undefined, Records>(Map.groupBy(records, ({ workspace }) => workspace));
    parts.set(undefined, records);
    const canEnd = next >= this.#ends.first;
    if (canEnd) this.#ends = { first: Infinity, last: 0 };
    let handedOut = 0;
    for (const member of this.#membersOf(canEnd ? this.#byWorkspace.keys() : parts.keys())) {
      if (handedOut >= turnRecords) {
        await new Promise((resolve) => setImmediate(resolve));
        handedOut = 0;
      }
      const memberRecords = parts.get(member.workspace) ?? [];
      this.#deliver(member, memberRecords, next);
      handedOut += memberRecords.length + visitRecords;
    }
    if (!canEnd) this.#notifyProgress(next);
  }

  /** The members of these workspaces; those of a workspace with few members come first. */
  #membersOf(workspaces: Iterable<string | undefined>): readonly Member[] {
    const sets = [...workspaces].map((workspace) => this.#byWorkspace.get(workspace) ?? new Set<Member>());
    return sets.toSorted((a, b) => a.size - b.size).flatMap((members) => [...members]);
  }

  /** Informs some of the members, in turn, of the progress; those that do not continue end. */
  #notifyProgress(next: number): void {
    for (let notified = 0; notified < notifiedMax; notified++) {
      const { value: member, done } = this.#nextNotified.next();
      if (done === true) {
        this.#nextNotified = this.#members.values();
        return;
      }
      this.#deliver(member, [], next);
    }
  }

  #deliver(member: Member, records: Records, next: number): void {
    if (member.shouldContinue()) {
      const to = member.to();
      for (const record of records) if (record.offset >= member.from && record.offset < to) member.take(record);
      if (next > member.from) member.onProgress?.(next);
    }
    this.#endAt(member, next);
  }

  /** Ends the member if its range is complete; returns whether it has ended. */
  #endAt(member: Member, next: number): boolean {
    const to = member.to();
    if (member.shouldContinue() && Math.max(next, member.from) < to) {
      this.#noteEnd(to);
      return false;
    }
    const { workspace } = member;
    const members = this.#byWorkspace.get(workspace);
    members?.delete(member);
    if (members?.size === 0) this.#byWorkspace.delete(workspace);
    this.#members.delete(member);
    member.resolve();
    return true;
  }
}
