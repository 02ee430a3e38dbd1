import type { Command, Script, Statement } from '../read/script.ts';
import { commandsIn, statementsIn } from '../read/walk.ts';

/** Why a command's failure would not show in the exit code of the script that holds it. */
export function maskReason(script: Script): string {
  const commands = commandsIn(script).map(commandText);
  if (commands.some((text) => /^set (-\w*n\b|.*-o noexec)/.test(text))) {
    return 'with "set -n" the shell runs nothing';
  }
  if (commands.some((text) => /^set \+\w*o? ?pipefail\b/.test(text))) {
    return '"set +o pipefail" hides failures inside of a pipe';
  }
  const statements = statementsIn(script);
  return reasons.find(({ applies }) => applies(script, statements))?.reason ?? fallback;
}

const fallback = 'the exit code doesn’t depend on it';

const reasons: readonly {
  readonly reason: string;
  applies(script: Script, statements: readonly Statement[]): boolean;
}[] = [
  {
    reason: 'a command in the background has no exit code; take the & away',
    applies: ({ steps }) => steps.some(({ isBackground }) => isBackground),
  },
  {
    reason: 'what stands behind "||" succeeds in its place; take that part away',
    applies: (_, statements) =>
      statements.some((one) => one.kind === 'chain' && one.operator === '||'),
  },
  {
    reason: '"!" turns its exit code around',
    applies: (_, statements) => statements.some((one) => one.kind === 'pipeline' && one.isNegated),
  },
  {
    reason: 'inside of a loop or a condition it may not run, or its exit code gets lost',
    applies: (_, statements) => statements.some(({ kind }) => /^(if|for|loop|case)$/.test(kind)),
  },
  {
    reason:
      'its last part decides the exit code, whatever came before; take that part away or join with &&',
    applies: (_, statements) => statements.some(hasManySteps) || statements.length > 1,
  },
];

function hasManySteps(statement: Statement): boolean {
  return statement.kind === 'group' && statement.steps.length > 1;
}

function commandText({ words }: Command): string {
  return words.map(({ text }) => text).join(' ');
}
