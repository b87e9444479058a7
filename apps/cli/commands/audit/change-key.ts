// `pd audit change-key`: lets the service sign history with a new key from now on.
import { plainLine } from '../../output/plain-text.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';

const description = `Lets the service sign checkpoints with a new key from now on.

It takes the operator's API key: the one in the file api-key of the data directory.
The next checkpoint of each partition is signed by both keys, so anyone who trusts the former key can trust the new one.`;

export const addChangeKey: AddCommand = (program, runner) => {
  program
    .command('change-key')
    .summary('sign checkpoints with a new key')
    .description(description)
    .action(runner.run(changeKey));
};

async function changeKey(session: Session): Promise<number> {
  const client = await session.client();
  const key = await client.signedHistory.changeKey();
  session.out.printResult(key, () => plainLine(`From now on key ${key.id} signs: ${key.public_key}`));
  return exitCodes.done;
}
