import { enterFolder, isOutside } from '../read/folder.ts';
import type { Script } from '../read/script.ts';
import { idleReason } from '../ways/idle.ts';
import { maskReason } from '../ways/masks.ts';
import { outcomesOf } from '../ways/outcomes.ts';
import { mentionsIn, tellingMentions } from './mentions.ts';
import { shellTamperingIn } from './tampering.ts';

export interface Uncheckable {
  readonly field: 'command' | 'cwd';
  readonly reason: string;
}

/**
 * Why a criterion's command line could prove nothing, or null: it can't be read, it exits the same
 * whatever the commands in it find, or it looks at another tree than the workspace.
 */
export function whyUncheckable(
  script: Script,
  {
    cwd = '.',
    expectExit = 0,
  }: { readonly cwd?: string | undefined; readonly expectExit?: number | undefined },
): Uncheckable | null {
  const start = enterFolder('', cwd);
  if (start === null || isOutside(start)) {
    return { field: 'cwd', reason: `${cwd} is outside of the workspace.` };
  }
  const reason = reasonIn(script, start, expectExit);
  return reason === null ? null : { field: 'command', reason };
}

function reasonIn(script: Script, start: string, expectExit: number): string | null {
  if (script.problem !== null) return `${script.problem}.`;
  if (isBareTruth(script)) return null;
  const { onSuccess, onFailure } = outcomesOf(script, start, undefined, { onlyChecksFail: true });
  const tampering = shellTamperingIn(script);
  if (tampering !== null) return `${tampering}.`;
  if (onSuccess === null) return expectExit === 0 ? 'it never exits with 0.' : 'it always fails.';
  if (onFailure === null) return `${constantReason(script)}.`;
  const folders = [...onSuccess.values()].flatMap((fact) => [...fact.folders]);
  const outside = folders.find((folder) => folder?.startsWith('..'));
  return outside === undefined ? null : `it runs in ${outside}, outside of the workspace.`;
}

/** A bare `true` is not a check but a guard that always holds. */
function isBareTruth({ steps }: Script): boolean {
  const [step] = steps;
  if (steps.length !== 1 || step?.isBackground !== false) return false;
  const { statement } = step;
  if (statement.kind !== 'command' || statement.words.length !== 1) return false;
  return /^(true|false)$/.test(statement.words[0]?.text ?? '');
}

function constantReason(script: Script): string {
  if (tellingMentions(script, '').length > 0) return maskReason(script);
  const [idle] = mentionsIn(script, '').flatMap((fact) => idleReason(fact) ?? []);
  return idle ?? 'it runs no check';
}
