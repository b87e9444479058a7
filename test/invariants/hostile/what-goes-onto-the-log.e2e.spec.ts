import { triggering, written } from './cases/families.ts';
import { promisesHold } from './harness/try-families.ts';

promisesHold(triggering, written);
