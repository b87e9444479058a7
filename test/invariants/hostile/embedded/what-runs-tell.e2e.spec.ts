import { told } from '../cases/families.ts';
import { defineFamilyTests } from '../harness/define-tests.ts';

defineFamilyTests(told);
