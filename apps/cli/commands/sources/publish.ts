// `pd publish`: a component, saved to be deployed by its id or key.
import { fields } from '../../output/output.ts';
import { plainLine } from '../../output/plain-text.ts';
import { repeating } from '../../program/api-problem.ts';
import type { AddCommand } from '../../program/command.ts';
import { usageFailure } from '../../program/failure.ts';
import type { Session } from '../../program/session.ts';
import { codeOf } from '../../props/code.ts';

export const addPublish: AddCommand = (program, runner) => {
  program
    .command('publish')
    .summary('save a component')
    .description(
      'Checks a component as a deploy does and saves it, to be deployed by its id or key. The same code is the same component. Events are not published by it: that is `POST /v1/sources/ID/events`.',
    )
    .argument('<code>', 'a file, or an http or https URL')
    .action(runner.run(publish));
};

async function publish(session: Session, _: object, named: string): Promise<void> {
  const { out } = session;
  const { component_id, ...code } = await codeOf(named);
  if (component_id !== undefined) throw usageFailure(`There is no file ${named}.`, 'Name a file or a URL.');
  const client = await session.client();
  const idempotencyKey = crypto.randomUUID();
  const component = await repeating(() => client.saveComponent(code, { idempotencyKey }));
  out.result(component, () =>
    fields(
      [
        ['id', component.id],
        ['key', component.key === null ? null : plainLine(component.key)],
        ['name', plainLine(component.name)],
        ['version', plainLine(component.version)],
      ],
      out.style,
    ),
  );
}
