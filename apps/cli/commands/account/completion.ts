// `pd completion`: prints the shell script that completes commands, options and names of sources and webhooks by Tab.
import { Argument } from 'commander';
import type { AddCommand } from '../../session/command.ts';
import type { Session } from '../../session/session.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** The scripts take words that `pd` prints, and the shell evaluates none of them; where there are none, files. */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `_pd() {
  mapfile -t COMPREPLY < <(pd __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -o default -F _pd pd`,
  zsh: `#compdef pd
_pd() {
  local -a found
  found=("\${(@f)$(pd __complete "\${(@)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ -n "$found" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _pd pd`,
  fish: `function __pd_complete
  set -l found (pd __complete (commandline -opc)[2..] (commandline -ct) 2> /dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c pd -f -a '(__pd_complete)'`,
};

const description = `Prints what a shell needs to complete commands, options and names of sources and webhooks by Tab:

    source <(pd completion bash)              # in ~/.bashrc
    source <(pd completion zsh)               # in ~/.zshrc, after compinit
    pd completion fish | source               # in ~/.config/fish/config.fish`;

export const addCompletion: AddCommand = (program, runner) => {
  program
    .command('completion')
    .summary('complete commands in bash, zsh and fish')
    .description(description)
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(runner.run(completion));
};

async function completion({ out }: Session, _: object, shell: Shell): Promise<void> {
  out.printLine(scripts[shell]);
}
