import { Stories } from '../stories.ts';

/** Each uses something that engines could do differently: a handshake in activate, past events at deploy, late emits. */
const keys = ['clio-new-activity-instant', 'ramp-new-transaction-created', 'pipedream-new-scheduled-tasks'];

let stories: Stories;
beforeAll(async () => {
  stories = await Stories.begin(keys);
}, 180_000);
afterAll(() => stories.world.close());

const expectToPlay = (key: string): Promise<void> => stories.waitForEnd(key);

test.each(keys)('the component %s passes its story on Kafka and MongoDB', (key) => expectToPlay(key), 180_000);
