import type { Command } from 'commander';
import type { Goal } from '../../../schema/goal.ts';
import type { Page } from '../../contract/reads.ts';
import { createClient } from '../client.ts';
import { type Candidate, placeOf } from '../complete.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findService } from '../service.ts';
import { oneLine, processTerminal } from '../terminal.ts';

/** Each shell asks `goalkeeper complete-words`, which answers a word and a tab and what it is, a line each. */
const SCRIPTS = {
  bash: `_goalkeeper() {
  local IFS=$'\\n' cur="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(goalkeeper complete-words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o nosort -F _goalkeeper goalkeeper`,
  zsh: `#compdef goalkeeper
_goalkeeper() {
  local -a found
  local word about
  while IFS=$'\\t' read -r word about; do found+=("\${word//:/\\\\:}:$about"); done \\
    < <(goalkeeper complete-words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe goalkeeper found; else _files; fi
}
compdef _goalkeeper goalkeeper`,
  fish: `complete -c goalkeeper -f -a '(
  set -l words (commandline -opc) (commandline -ct)
  set -l found (goalkeeper complete-words -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf "%s\\n" $found
  else
    __fish_complete_path (commandline -ct)
  end
)'`,
} as const;

export type Shell = keyof typeof SCRIPTS;

export function completion(shell: Shell): ExitCode {
  processTerminal().out(SCRIPTS[shell]);
  return EXIT.complete;
}

/** A shell waits for it at each Tab. */
const PATIENCE_MS = 1500;

/** What can stand next, for the shells' scripts; a service that is away offers no goals. */
export async function complete(program: Command, words: readonly string[]): Promise<ExitCode> {
  const { candidates, takesGoal } = placeOf(program, words);
  const goals = takesGoal ? await goalsFrom(words.at(-1) ?? '').catch(() => []) : [];
  const terminal = processTerminal();
  for (const { word, about } of [...candidates, ...goals]) terminal.out(`${word}\t${about}`);
  return EXIT.complete;
}

async function goalsFrom(beginning: string): Promise<Candidate[]> {
  const client = createClient(findService(process.env));
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await client.open('/v1/goals?limit=100&sort=updated', {}, signal);
  const { items } = (await answer.json()) as Page<Goal>;
  return items
    .filter(({ goalId }) => goalId.startsWith(beginning))
    .map(({ goalId, objective }) => ({ word: goalId, about: oneLine(objective, 60) }));
}
