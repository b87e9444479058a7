import { Stories, storyKeys } from '../stories.ts';

let stories: Stories;
beforeAll(async () => {
  stories = await Stories.begin(storyKeys);
}, 120_000);
afterAll(() => stories.world.close());

const expectToPlay = (key: string): Promise<void> => stories.waitForEnd(key);

test.each(storyKeys)('the component %s passes its story', (key) => expectToPlay(key), 180_000);

test('the service prints no token of an account', () => {
  expect(stories.world.output).not.toMatch(/a-token-for-/);
});
