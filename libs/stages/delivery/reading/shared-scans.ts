// Scans of one source that begin together read it once: a thousand replays that count the same events cost one pass.
import type { RecordOn } from '../../../domain/messages-of.ts';
import { inTurns, sourcePages, type Read, type ScannedSource, type SourceScanOptions } from './scan.ts';

/** While a source is being read, those that come too late for it are gathered for so long, and begin together. */
const gatherMs = 250;
/** Records handed over in one turn of the event loop, about a millisecond; a page of many members takes several. */
const turnRecords = 4_096;

type Range = Omit<ScannedSource, 'onlyDeletions'>;
type Take = (record: RecordOn<'channels'>) => void;

/** One scan of a pass. A replay has one at a time, and few of a subscription run (`runningMax`, `replaysRunningMax`). */
interface Member extends Range {
  readonly take: Take;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export class SharedScans {
  readonly #options: SourceScanOptions;
  /** Those that are being read. */
  readonly #sources = new Map<string, SharedSource>();

  constructor(options: SourceScanOptions) {
    this.#options = options;
  }

  /** As `scanSource`. */
  scan(range: Range, take: Take): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { emitterId } = range;
    const known = this.#sources.get(emitterId);
    const source = known ?? new SharedSource(this.#options, emitterId, () => this.#sources.delete(emitterId));
    if (known === undefined) this.#sources.set(emitterId, source);
    source.add({ ...range, take, resolve, reject });
    return promise;
  }
}

/** The passes over one source. */
class SharedSource {
  readonly #options: SourceScanOptions;
  readonly #emitterId: string;
  readonly #ended: () => void;
  readonly #passes = new Set<Pass>();
  #waiting: Member[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beganAt = 0;

  constructor(options: SourceScanOptions, emitterId: string, ended: () => void) {
    this.#options = options;
    this.#emitterId = emitterId;
    this.#ended = ended;
  }

  add(member: Member): void {
    if (this.#passes.size === 0) return this.#place(member);
    if (this.#join(member)) return;
    this.#waiting.push(member);
    const gathersMs = gatherMs - (performance.now() - this.#beganAt);
    if (gathersMs <= 0) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), gathersMs).unref();
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting.splice(0).toSorted((a, b) => a.from - b.from);
    for (const member of waiting) this.#place(member);
  }

  #join(member: Member): boolean {
    for (const pass of this.#passes) if (pass.join(member)) return true;
    return false;
  }

  #place(member: Member): void {
    if (this.#join(member)) return;
    this.#beganAt = performance.now();
    const pass = new Pass(member);
    this.#passes.add(pass);
    void pass.read(this.#options, this.#emitterId).then(() => this.#left(pass));
  }

  #left(pass: Pass): void {
    this.#passes.delete(pass);
    if (this.#passes.size > 0) return;
    if (this.#waiting.length > 0) this.#begin();
    else this.#ended();
  }
}

/** Reads forward until the last of its members has reached its end. */
class Pass {
  readonly #members = new Set<Member>();
  /** Records below it are not handed to those who join. */
  #next: number;
  #isOver = false;

  constructor(first: Member) {
    this.#next = first.from;
    this.#members.add(first);
  }

  /** False: it would wait for more than it reads, or what it wants has been read. */
  join(member: Member): boolean {
    const ahead = member.from - this.#next;
    if (this.#isOver || ahead < 0 || ahead > member.to() - member.from) return false;
    this.#members.add(member);
    return true;
  }

  /** Never rejects: its members do. */
  async read(options: SourceScanOptions, emitterId: string): Promise<void> {
    const readNext = inTurns(sourcePages(options, emitterId), options);
    try {
      while (this.#goesOn()) {
        const at = this.#next;
        const page = await readNext(at, () => this.#end());
        if (page.next <= at) break;
        this.#next = page.next;
        await this.#hand(page);
      }
      for (const { resolve } of this.#members) resolve();
    } catch (error) {
      for (const { reject } of this.#members) reject(error);
    }
    this.#isOver = true;
    this.#members.clear();
  }

  /** Whether there is still a page to be read for anybody. */
  #goesOn(): boolean {
    for (const member of this.#members) this.#endAt(member, this.#next);
    return this.#members.size > 0;
  }

  #end(): number {
    let end = this.#next;
    for (const { to } of this.#members) end = Math.max(end, to());
    return end;
  }

  /** Each member takes its part of the page in one turn, and ends in that turn if it has all. */
  async #hand(page: Read<'channels'>): Promise<void> {
    let handed = 0;
    for (const member of [...this.#members]) {
      if (handed >= turnRecords) {
        await new Promise((resolve) => setImmediate(resolve));
        handed = 0;
      }
      if (!member.goesOn()) continue;
      const to = member.to();
      for (const record of page.records) if (record.offset >= member.from && record.offset < to) member.take(record);
      if (page.next > member.from) member.reached?.(page.next);
      handed += page.records.length;
      this.#endAt(member, page.next);
    }
  }

  #endAt(member: Member, next: number): void {
    if (member.goesOn() && Math.max(next, member.from) < member.to()) return;
    this.#members.delete(member);
    member.resolve();
  }
}
