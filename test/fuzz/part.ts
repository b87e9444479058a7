// Runs one part of the fuzzing: rounds of drawn cases until the time is up; each failure is shrunk and reported once.
import fc from 'fast-check';
import { FuzzFailure } from './product-under-test.ts';

/** One round: the property whose cases it draws and tries. */
export interface Round {
  readonly property: fc.IAsyncProperty<[unknown]>;
  /** Checks, after its cases, what must still hold. Throws FuzzFailure. */
  settle(): Promise<void>;
}

export interface TryCount {
  readonly of: string;
  count: number;
}

export interface Part {
  readonly name: string;
  /** Cases of a round share a product, unless one of them ends it. */
  readonly casesPerRound: number;
  /** How many items of cases were tried, those of shrunk cases included. */
  readonly tried: TryCount;
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
  readonly tried: TryCount;
  readonly findings: readonly Finding[];
}

/** The smallest case found in this time is reported. */
export const shrinkMaxMs = 60_000;
/** With more findings, nothing works at all. */
const findingsMax = 20;
const exampleUnitsMax = 4_000;

export async function runPart(part: Part, seed: number, durationMs: number): Promise<Result> {
  const deadline = performance.now() + durationMs;
  const findings = new Map<string, Finding>();
  let cases = 0;
  for (let round = seed; performance.now() < deadline && findings.size < findingsMax; round++) {
    const { ran, finding } = await runRound(part, round, deadline);
    cases += ran;
    if (finding !== undefined && !findings.has(finding.kind)) findings.set(finding.kind, finding);
  }
  return { cases, tried: part.tried, findings: [...findings.values()] };
}

async function runRound(part: Part, seed: number, deadline: number): Promise<{ ran: number; finding?: Finding }> {
  let ran = 0;
  try {
    const { property, settle } = await part.begin();
    const run = await fc.check(property, {
      seed,
      numRuns: part.casesPerRound,
      interruptAfterTimeLimit: Math.max(1, deadline - performance.now()) + shrinkMaxMs,
      skipAllAfterTimeLimit: Math.max(1, deadline - performance.now()),
      // Stops at the first skipped case: otherwise it would draw a hundred times as many in vain.
      maxSkipsPerRun: 0,
    });
    ran = run.numRuns;
    if (run.failed && run.counterexample !== null)
      throw new CounterexampleError(run.errorInstance, run.counterexample[0]);
    await settle();
    return { ran };
  } catch (error) {
    return { ran, finding: findingOf(error, seed) };
  } finally {
    if (performance.now() > deadline) await part.close();
  }
}

/** A failure with the smallest case that leads to it. */
class CounterexampleError extends Error {
  readonly example: unknown;

  constructor(cause: unknown, example: unknown) {
    super('found', { cause });
    this.example = example;
  }
}

function findingOf(error: unknown, seed: number): Finding {
  const cause = error instanceof CounterexampleError ? error.cause : error;
  const example = error instanceof CounterexampleError ? stringifyExample(error.example) : 'all of this round';
  const kind = cause instanceof FuzzFailure ? cause.kind : `${(cause as Error).name}: ${(cause as Error).message}`;
  return { kind, seed, example: truncate(example), details: truncate(String((cause as Error).message)) };
}

/** The case as text; one that is too deep can be drawn again by its seed. */
function stringifyExample(example: unknown): string {
  try {
    return fc.stringify(example);
  } catch {
    return 'too deep to be written';
  }
}

const truncate = (text: string): string =>
  text.length <= exampleUnitsMax ? text : `${text.slice(0, exampleUnitsMax)}... (${text.length} characters)`;
