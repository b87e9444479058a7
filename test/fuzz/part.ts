// Runs one part of the fuzzing: rounds of drawn cases until the time is up; each failure is shrunk and reported once.
import fc from 'fast-check';
import { Broken } from './house.ts';

/** One round: the property whose cases it draws and tries. */
export interface Round {
  readonly property: fc.IAsyncProperty<[unknown]>;
  /** Checks, after its cases, what must still hold. Throws Broken. */
  settle(): Promise<void>;
}

export interface Tried {
  readonly of: string;
  count: number;
}

export interface Part {
  readonly name: string;
  /** Cases of a round share a product, unless one of them ends it. */
  readonly casesPerRound: number;
  /** How many items of cases were tried, those of shrunk cases included. */
  readonly tried: Tried;
  begin(): Promise<Round>;
  close(): Promise<void>;
}

export interface Finding {
  readonly kind: string;
  /** The seed of the round, with which it can be repeated. */
  readonly seed: number;
  readonly example: string;
  readonly details: string;
}

export interface Result {
  readonly cases: number;
  readonly tried: Tried;
  readonly findings: readonly Finding[];
}

/** The smallest case found in this time is reported. */
export const shrinkMaxMs = 60_000;
/** With more findings, nothing works at all. */
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
      // Stops at the first skipped case: otherwise it would draw a hundred times as many in vain.
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

/** The case as text; one that is too deep can be drawn again by its seed. */
function written(example: unknown): string {
  try {
    return fc.stringify(example);
  } catch {
    return 'too deep to be written';
  }
}

const shortened = (text: string): string =>
  text.length <= exampleUnitsMax ? text : `${text.slice(0, exampleUnitsMax)}... (${text.length} characters)`;
