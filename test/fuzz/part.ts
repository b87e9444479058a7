// One part of the fuzzing: rounds of drawn cases until its time is up, each failure shrunk and told once.
import fc from 'fast-check';
import { Broken } from './house.ts';

/** What a round draws its cases from, and tries them on. */
export interface Round {
  readonly property: fc.IAsyncProperty<[unknown]>;
  /** After its cases: what must hold still. Throws Broken. */
  settle(): Promise<void>;
}

export interface Tried {
  readonly of: string;
  count: number;
}

export interface Part {
  readonly name: string;
  /** They share a product, unless one of them ends it. */
  readonly casesPerRound: number;
  /** How many of what its cases hold were tried, counting those of smaller cases. */
  readonly tried: Tried;
  begin(): Promise<Round>;
  close(): Promise<void>;
}

export interface Finding {
  readonly kind: string;
  /** Of the round: what to give to try it again. */
  readonly seed: number;
  readonly example: string;
  readonly details: string;
}

export interface Result {
  readonly cases: number;
  readonly tried: Tried;
  readonly findings: readonly Finding[];
}

/** The smallest case that was found by then is told. */
export const shrinkMaxMs = 60_000;
/** More of them say that nothing works. */
const findingsMax = 20;
const exampleUnitsMax = 4_000;

export async function play(part: Part, seed: number, forMs: number): Promise<Result> {
  const until = performance.now() + forMs;
  const findings = new Map<string, Finding>();
  let cases = 0;
  for (let round = seed; performance.now() < until && findings.size < findingsMax; round++) {
    const { ran, finding } = await playRound(part, round, until);
    cases += ran;
    if (finding !== undefined && !findings.has(finding.kind)) findings.set(finding.kind, finding);
  }
  return { cases, tried: part.tried, findings: [...findings.values()] };
}

async function playRound(part: Part, seed: number, until: number): Promise<{ ran: number; finding?: Finding }> {
  let ran = 0;
  try {
    const { property, settle } = await part.begin();
    const run = await fc.check(property, {
      seed,
      numRuns: part.casesPerRound,
      interruptAfterTimeLimit: Math.max(1, until - performance.now()) + shrinkMaxMs,
      skipAllAfterTimeLimit: Math.max(1, until - performance.now()),
      // The first that is skipped is the last: a hundred times as many would be drawn for nothing.
      maxSkipsPerRun: 0,
    });
    ran = run.numRuns;
    if (run.failed && run.counterexample !== null) throw new Found(run.errorInstance, run.counterexample[0]);
    await settle();
    return { ran };
  } catch (error) {
    return { ran, finding: told(error, seed) };
  } finally {
    if (performance.now() > until) await part.close();
  }
}

/** A failure with the smallest case that leads to it. */
class Found extends Error {
  readonly example: unknown;

  constructor(cause: unknown, example: unknown) {
    super('found', { cause });
    this.example = example;
  }
}

function told(error: unknown, seed: number): Finding {
  const cause = error instanceof Found ? error.cause : error;
  const example = error instanceof Found ? written(error.example) : 'all of this round';
  const kind = cause instanceof Broken ? cause.kind : `${(cause as Error).name}: ${(cause as Error).message}`;
  return { kind, seed, example: shortened(example), details: shortened(String((cause as Error).message)) };
}

/** What is too deep for that is drawn again by its seed. */
function written(example: unknown): string {
  try {
    return fc.stringify(example);
  } catch {
    return 'too deep to be written';
  }
}

const shortened = (text: string): string =>
  text.length <= exampleUnitsMax ? text : `${text.slice(0, exampleUnitsMax)}... (${text.length} characters)`;
