// The stories of the tried components: the public set of the conformance corpus, without its actions.
import { newFinishedActorRun } from './apify/new-finished-actor-run-instant.ts';
import { newTransferEvent } from './brex/new-transfer-event.ts';
import { newActivityInstant } from './clio/new-activity-instant.ts';
import { newFolder } from './docusign/new-folder.ts';
import { newIssue } from './gitlab/new-issue.ts';
import { newMilestone } from './gitlab/new-milestone.ts';
import { newFlagEvent } from './launchdarkly/new-flag-event.ts';
import { newScheduledTasks } from './pipedream/new-scheduled-tasks.ts';
import { newCustomerCreated } from './quickbooks/new-customer-created.ts';
import { newTransactionCreated } from './ramp/new-transaction-created.ts';
import { newMessageInChannels } from './slack/new-message-in-channels.ts';
import { World } from './world.ts';
import type { Story } from './story.ts';

const allStories: readonly Story[] = [
  newFinishedActorRun,
  newTransferEvent,
  newActivityInstant,
  newFolder,
  newIssue,
  newMilestone,
  newFlagEvent,
  newScheduledTasks,
  newCustomerCreated,
  newTransactionCreated,
  newMessageInChannels,
];

/** Plays stories in one world, a few at a time, each to its end even if others fail. */
export class Stories {
  readonly world: World;
  readonly #outcomes = new Map<string, Promise<unknown>>();

  private constructor(world: World, stories: readonly Story[]) {
    this.world = world;
    const queue = [...stories];
    const outcomes = new Map(stories.map(({ key }) => [key, Promise.withResolvers<unknown>()]));
    for (const [key, { promise }] of outcomes) this.#outcomes.set(key, promise);
    const playNext = async (): Promise<void> => {
      for (let story = queue.shift(); story !== undefined; story = queue.shift()) {
        const failure = await story.play(world).then(
          () => undefined,
          (error: unknown) => error ?? new Error('the story ended with nothing'),
        );
        outcomes.get(story.key)?.resolve(failure);
      }
    };
    for (let players = 0; players < playersMax; players++) void playNext();
  }

  static async begin(keys: readonly string[]): Promise<Stories> {
    return new Stories(
      await World.open(),
      keys.map((key) => findStory(key)),
    );
  }

  /** Waits for the end of a story, and throws its error. */
  async waitForEnd(key: string): Promise<void> {
    const failure = await this.#outcomes.get(key);
    if (failure !== undefined) throw failure;
  }
}

export const storyKeys: readonly string[] = allStories.map(({ key }) => key);

/** On the few cores that a test can expect, more would only wait for each other. */
const playersMax = 4;

function findStory(key: string): Story {
  const story = allStories.find((one) => one.key === key);
  if (story === undefined) throw new Error(`there is no story of ${key}`);
  return story;
}
