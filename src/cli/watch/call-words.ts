import { diffLines } from 'diff';
import { callSubject, editsIn } from '../../../schema/call-subject.ts';
import type { Goal } from '../../../schema/goal.ts';
import { ownValue } from '../../../schema/own-value.ts';
import type { Call } from '../../../schema/turn.ts';
import { isInScope } from '../../proof/scope/scope.ts';
import type { EndedCall } from './told.ts';

/** What a call does, in a short word. */
const VERBS: Readonly<Record<string, string>> = {
  ...{ run_command: 'run', read_file: 'read', list_files: 'list', grep_search: 'grep' },
  ...{ write_file: 'write', edit_file: 'edit', todo_write: 'todo', update_plan: 'plan' },
  ...{ complete_step: 'step', attempt_completion: 'claim', ask_user: 'ask', wait_for: 'wait' },
  ...{ 'check.baseline': 'before', 'check.gate': 'gate', 'check.proof': 'proof' },
  ...{ 'check.setup': 'setup', 'check.dispute': 'counter' },
};

export const verbOf = (tool: string): string => ownValue(VERBS, tool) ?? tool;

/** The host's own checks before the work: one that fails there is what the goal is to mend. */
export const isBaseline = ({ tool }: Pick<EndedCall, 'tool'>): boolean => tool === 'check.baseline';

export const subjectOf = (call: Call | null): string => (call === null ? '' : callSubject(call));

/** Proof runs fail on the original and without a part of the work, as they have to; the gate judges. */
const isProof = ({ tool }: Pick<EndedCall, 'tool'>): boolean => tool === 'check.proof';

/** What a run of a proof looks at, other than at the work. */
const LOOKS = { original: 'before', canary: 'canary', control: 'control' } as const;

function lookOf({ tool, call }: Pick<EndedCall, 'tool' | 'call'>): keyof typeof LOOKS | null {
  if (!isProof({ tool })) return null;
  const [, look] = /\.(original|canary|control)\d*$/.exec(call?.callId ?? '') ?? [];
  return (look as keyof typeof LOOKS | undefined) ?? null;
}

/** What it does; a proof runs its check on the original and with other values, too. */
export function deedOf(ended: Pick<EndedCall, 'tool' | 'call'>): string {
  const look = lookOf(ended);
  return look === null ? verbOf(ended.tool) : LOOKS[look];
}

/** A failure that nobody expected. */
export function isFailure({ outcome, exitCode, call, tool }: Omit<EndedCall, 'why'>): boolean {
  if (isBaseline({ tool }) || isProof({ tool }) || call?.receipt?.expectFailure === true)
    return false;
  return outcome !== 'succeeded' || (exitCode !== null && exitCode !== 0);
}

/** How it ended, in one or two words. */
export function endOf(ended: EndedCall): string {
  const { outcome, exitCode, call, change } = ended;
  if (call?.receipt?.stoppedBy !== undefined) return 'stopped';
  if (isBaseline(ended)) {
    if (outcome === 'succeeded') return 'holds already';
    return exitCode === null ? 'not yet' : `not yet, exit ${exitCode}`;
  }
  if (outcome === 'refused') return 'refused';
  if (outcome === 'unknown') return 'end not seen';
  if (exitCode !== null) return `exit ${exitCode}${expectedOf(ended)}`;
  if (outcome === 'failed') return 'failed';
  return change === null ? '' : `+${change.added} −${change.removed}`;
}

/** Said of a failure that a proof needs. */
function expectedOf(ended: EndedCall): string {
  if (ended.exitCode === 0) return '';
  const look = lookOf(ended);
  if (look === 'canary') return ', as it must';
  return look === 'original' ? ', as it was' : '';
}

/** Lines that an edit or a new file brings; null where the call says nothing of it. */
export function changeOf(call: Call): EndedCall['change'] {
  if ((call.receipt?.writes?.length ?? 0) === 0) return null;
  const edits = editsIn(call);
  if (edits.length > 0) {
    const parts = edits.flatMap(({ oldText, newText }) => diffLines(oldText, newText));
    const sum = (picked: typeof parts) => picked.reduce((all, { count = 0 }) => all + count, 0);
    return {
      added: sum(parts.filter(({ added }) => added)),
      removed: sum(parts.filter(({ removed }) => removed)),
    };
  }
  const { content } = (call.arguments ?? {}) as { readonly content?: unknown };
  if (typeof content !== 'string') return null;
  return { added: content.replace(/\n$/, '').split('\n').length, removed: 0 };
}

/** Did it write what the goal's scope leaves to others? */
export function isBeyond({ receipt }: Call, scope: Goal['scope']): boolean {
  if (scope === undefined || scope.change.length === 0) return false;
  return (receipt?.writes ?? []).some((path) => !isInScope(scope, path));
}
