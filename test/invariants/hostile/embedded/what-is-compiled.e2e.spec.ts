import { compiled } from '../cases/families.ts';
import { defineFamilyTests } from '../harness/define-tests.ts';

/** Each is tried alone and followed by ordinary work, which takes seconds; `npm run hostile` tries them all. */
const oneIn = 4;

defineFamilyTests({ ...compiled, attacks: compiled.attacks.filter((_, at) => at % oneIn === 0) });
