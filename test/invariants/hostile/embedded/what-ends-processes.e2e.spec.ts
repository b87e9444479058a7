import { deadly } from '../cases/families.ts';
import { defineFamilyTests } from '../harness/define-tests.ts';

defineFamilyTests(deadly);
