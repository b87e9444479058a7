import { triggering, written } from './cases/families.ts';
import { defineFamilyTests } from './harness/define-tests.ts';

defineFamilyTests(triggering, written);
