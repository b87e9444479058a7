import { declared, requested } from '../cases/families.ts';
import { promisesHold } from '../harness/try-families.ts';

promisesHold(requested, declared);
