import type { Client } from '../../../../libs/client/index.ts';
import { exitCodes } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { chooseSavedComponent } from './deploy.ts';

test('without a saved component nobody is asked to choose one', async () => {
  const questions: string[] = [];
  const choose = async (message: string): Promise<void> => void questions.push(message);
  const session = { prompts: async () => ({ choose }) } as unknown as Session;
  const components = async (): Promise<object> => ({ page_info: { total_count: 0, count: 0 }, data: [] });
  await expect(chooseSavedComponent(session, { components } as unknown as Client)).rejects.toMatchObject({
    message: 'There is no saved component: name a file, a URL or a key.',
    exitCode: exitCodes.usage,
  });
  expect(questions).toEqual([]);
});
