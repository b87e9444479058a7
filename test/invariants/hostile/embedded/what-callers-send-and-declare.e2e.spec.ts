import { declared, requested } from '../cases/families.ts';
import { defineFamilyTests } from '../harness/define-tests.ts';

defineFamilyTests(requested, declared);
