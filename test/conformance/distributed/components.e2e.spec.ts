import { Stories } from '../stories.ts';

/** Each does what an engine could do otherwise: a handshake during activation, a fill at deploy, emits for a later time. */
const keys = ['clio-new-activity-instant', 'ramp-new-transaction-created', 'pipedream-new-scheduled-tasks'];

let stories: Stories;
beforeAll(async () => {
  stories = await Stories.begin(keys);
}, 180_000);
afterAll(() => stories.world.close());

const expectToPlay = (key: string): Promise<void> => stories.end(key);

test.each(keys)('the component %s does on Kafka what it does elsewhere', (key) => expectToPlay(key), 180_000);
