import { runPart, shrinkMaxMs } from '../../fuzz/part.ts';
import type { Part } from '../../fuzz/part.ts';
import { Guest } from '../../fuzz/parts/guest.ts';
import { Records } from '../../fuzz/parts/records.ts';
import { Requests } from '../../fuzz/parts/requests.ts';

/** Two minutes in all; `npm run fuzz` takes any duration. */
const forMs = 40_000;
/** The same each time, so that only a change of the code changes the result; `npm run fuzz` draws a new one. */
const seed = 1;
/** Each round of cases ends with a kill and a start; a busy machine takes its time. */
const startMaxMs = 90_000;

test.each<[string, Part]>([
  ['request of a caller', new Requests()],
  ['message of a component', new Guest()],
  ['record on the log', new Records()],
])(
  'no %s ends a stage, makes the service fail or keeps it from starting again',
  async (_, part) => {
    const { cases, findings } = await runPart(part, seed, forMs);
    expect(findings).toEqual([]);
    expect(cases).toBeGreaterThan(0);
  },
  forMs + shrinkMaxMs + startMaxMs,
);
