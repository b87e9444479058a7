import { computed } from '../cases/families.ts';
import { promisesHold } from '../harness/try-families.ts';

promisesHold(computed);
