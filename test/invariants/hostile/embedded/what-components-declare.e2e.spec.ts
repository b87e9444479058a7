import { declared } from '../cases/families.ts';
import { promisesHold } from '../harness/try-family.ts';

promisesHold(declared);
