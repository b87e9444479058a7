// Lists every command of `pd`. The help, completion and docs/cli.md are made from it.
import { Command } from 'commander';
import { addAudit } from '../commands/audit/audit.ts';
import { addAccounts } from '../commands/account/accounts.ts';
import { addCompletion } from '../commands/account/completion.ts';
import { addDoctor } from '../commands/account/doctor.ts';
import { addKeys } from '../commands/account/keys.ts';
import { addLogin } from '../commands/account/login.ts';
import { addDeliveries } from '../commands/deliveries/deliveries.ts';
import { addReplay } from '../commands/deliveries/replay.ts';
import { addDev } from '../commands/dev/dev.ts';
import { addHistory } from '../commands/history/history.ts';
import { addListen } from '../commands/listen/listen.ts';
import { addDeploy } from '../commands/sources/deploy.ts';
import { addEvents } from '../commands/sources/events.ts';
import { addInit } from '../commands/dev/init.ts';
import { addList } from '../commands/sources/list.ts';
import { addLogs } from '../commands/sources/logs.ts';
import { addPublish } from '../commands/sources/publish.ts';
import { addEmit } from '../commands/running/emit.ts';
import { addRun } from '../commands/running/run.ts';
import { addTrigger } from '../commands/running/trigger.ts';
import { addUpdate } from '../commands/sources/update.ts';
import { addSubscriptions } from '../commands/webhooks/subscriptions.ts';
import { addWebhooks } from '../commands/webhooks/webhooks.ts';
import { styleFor } from '../output/style.ts';
import type { AddCommand, Runner } from '../session/command.ts';
import type { Io } from '../session/session.ts';
import { version } from './pd-version.ts';

const commands: readonly AddCommand[] = [
  addLogin,
  addInit,
  addDev,
  addDeploy,
  addPublish,
  addList,
  addEvents,
  addLogs,
  addRun,
  addTrigger,
  addEmit,
  addUpdate,
  addWebhooks,
  addSubscriptions,
  addDeliveries,
  addReplay,
  addListen,
  addAccounts,
  addKeys,
  addHistory,
  addAudit,
  addDoctor,
  addCompletion,
];

export function program(runner: Runner, { stdout, stderr }: Io, isColored: boolean): Command {
  const style = styleFor(isColored && stderr.isTTY === true);
  const pd = new Command('pd')
    .description('Wellspring from the terminal: event sources, their events and logs, webhooks and subscriptions.')
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command...]', 'show help for a command')
    .option('-p, --profile <name>', 'the profile that `pd login` saved; PD_PROFILE does the same')
    .option('--json', 'print JSON: one document, or one a line for a stream; a failure is one line on stderr')
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error:/, style.bad('error:'))),
      getOutHelpWidth: () => stdout.columns || 80,
    })
    // In 80 columns, descriptions get fewer columns than the parser's minimum for wrapping.
    .configureHelp({ sortSubcommands: false, showGlobalOptions: true, subcommandTerm: termOf, minWidthToWrap: 30 })
    .showHelpAfterError('Run `pd help` or add --help to see what it takes.')
    .exitOverride();
  for (const add of commands) add(pd, runner);
  return pd;
}

/** Shows a command in a list as in its own help. */
function termOf(command: Command): string {
  const name = [command.name(), ...command.aliases().slice(0, 1)].join('|');
  const words = command.usage().replace(/^\[options\] ?/, '');
  return [name, ...(command.options.length > 0 ? ['[options]'] : []), words.replace(/^\[command\] ?/, '')]
    .filter((part) => part !== '')
    .join(' ');
}
