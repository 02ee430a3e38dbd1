import type { Activity } from '../../schema/goal.ts';
import { oneLine } from './terminal.ts';

export interface ProgressEvent {
  readonly type: string;
  readonly data: unknown;
  readonly at: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** An event in words, and how loudly they are said. */
export interface EventWords {
  readonly text: string;
  readonly tone: 'none' | 'dim' | 'you' | 'failed' | 'stale';
}

const say = (text: string): EventWords => ({ text, tone: 'none' });
const aside = (text: string): EventWords => ({ text, tone: 'dim' });
const notable = (text: string): EventWords => ({ text, tone: 'stale' });
const asks = (text: string): EventWords => ({ text, tone: 'you' });
const bad = (text: string): EventWords => ({ text, tone: 'failed' });

/** One event in words; null for events that a person at a terminal need not see. */
export function eventWords({
  type,
  data,
}: Pick<ProgressEvent, 'type' | 'data'>): EventWords | null {
  const fields = (typeof data === 'object' && data !== null ? data : {}) as Fields;
  const word = (name: string) => oneLine(String(fields[name] ?? ''), 160);
  switch (type) {
    case 'step.started':
    case 'message.added':
    case 'step.committed':
    case 'todos.changed':
    case 'plan.changed':
    case 'requirements.added':
    case 'call.started':
    case 'checkpoint.made':
      return null;
    case 'goal.started':
      return say('goal started');
    case 'goal.message_taken_back':
      return say(`a message was taken back by ${word('role') || 'the service'}`);
    case 'goal.messaged':
    case 'goal.answered':
    case 'goal.decided':
    case 'goal.resumed':
    case 'goal.paused':
    case 'goal.amended':
    case 'goal.cleared':
    case 'goal.completed':
      return say(`${type.slice('goal.'.length)} by ${word('role') || 'the service'}`);
    case 'criteria.detected':
      return detectedText(fields);
    case 'criterion.proposed':
      return asks('the model proposes a criterion: see "goalkeeper approvals"');
    case 'requirements.proposed':
      return asks('the model proposes to change requirements: see "goalkeeper approvals"');
    case 'scope.told':
      return toldText(fields);
    case 'scope.proposed':
      return asks('the model asks for a wider scope: see "goalkeeper approvals"');
    case 'goal.dispute_decided':
      return say(`dispute answered by ${word('role') || 'the service'}: ${word('decision')}`);
    case 'goal.replaced':
      return say(`replaced by ${word('by')}`);
    case 'step.failed':
      return failedText(fields);
    case 'model.fell_back':
      return notable(`the fallback model stands in until ${word('until')}: ${word('reason')}`);
    case 'step.lost':
      return notable('a model call was lost with its worker: charged as estimated, and sent again');
    case 'conversation.compacted':
      return aside(
        `the conversation was compacted: ${word('tokensBefore')} → ${word('tokensAfter')} tokens`,
      );
    case 'worktree.made':
      return madeText(fields);
    case 'branch.applied':
      return say(`${word('branch')} was applied to ${word('workspace')}: files ${word('files')}`);
    case 'branch.stuck':
      return notable(
        `its branch ${word('branch')} can’t end yet, and is tried again: ${word('why')}`,
      );
    case 'branch.ended':
      return say(`its work is on ${word('branch')} at ${word('commit').slice(0, 12)}`);
    case 'execution.lost':
      return bad('its execution was lost; everything until then is kept');
    case 'execution.renewed':
      return aside('goes on in a new execution');
    case 'security.refused':
      return bad(`Temporal was told what no one here sent: ${word('what')} ${word('name')}`);
    case 'tool.withheld':
      return asks(`${word('tool')} is withheld: goalkeeper pins shows what changed`);
    case 'goal.changed':
      return changedText(fields);
    default:
      return aside(`${type} ${rest(fields)}`.trimEnd());
  }
}

/** Which files are the work, and what that means for the level that can be reached. */
function toldText({ scope, notices }: Fields): EventWords | null {
  const said = Array.isArray(notices) ? notices.map((text) => oneLine(String(text), 400)) : [];
  const lines = [
    ...(typeof scope === 'string' && scope !== '' ? [oneLine(scope, 600)] : []),
    ...said,
  ];
  if (lines.length === 0) return null;
  return { text: lines.join(' '), tone: said.length > 0 ? 'stale' : 'none' };
}

/** Where the work goes, and what it does not begin with. */
function madeText({ branch, base, uncommitted }: Fields): EventWords {
  const text = `works on ${oneLine(String(branch ?? ''), 160)}, from ${String(base ?? '').slice(0, 12)}`;
  const left = Number(uncommitted ?? 0);
  if (left === 0) return say(text);
  return notable(`${text}; not in it: ${left} uncommitted ${left === 1 ? 'file' : 'files'}`);
}

/** The error of a model call; an answer that only broke the protocol has none. */
function failedText({ error }: Fields): EventWords {
  const { kind, message } = (error ?? {}) as { kind?: unknown; message?: unknown };
  if (kind === undefined) return notable('a model call gave no usable answer');
  return bad(`model call failed, ${String(kind)}: ${oneLine(String(message ?? ''), 160)}`);
}

/** What the goal is now, the actor that it waits for, and when it goes on by itself. */
function changedText(fields: Fields): EventWords {
  const { state, on, actor, reason, until } = (fields.activity ?? {}) as Partial<Activity>;
  const head = `goal is ${oneLine(String(fields.status ?? 'changed'), 40)}`;
  if (state !== 'waiting') return say(head);
  const end = until === undefined ? '' : ` until ${until.slice(11, 19)}`;
  const text = `${head}, waits for ${on}${end}: ${oneLine(reason ?? '', 160)}`;
  return actor === 'You' ? asks(text) : say(text);
}

interface Detected {
  readonly criterionId: string;
  readonly spec: { readonly name?: string; readonly command?: string };
}

/** The detected criteria of a goal that was started without any. */
function detectedText({ criteria }: Fields): EventWords {
  const found = (Array.isArray(criteria) ? criteria : []) as Detected[];
  if (found.length === 0) return say('no check of the project works now: a person will judge');
  const shown = found.map(({ criterionId, spec }) => `${criterionId} ${spec.command ?? ''}`);
  return say(`guards, checks of the project that hold now: ${oneLine(shown.join(', '), 300)}`);
}

function rest(fields: Fields): string {
  const simple = Object.entries(fields).filter(
    ([, value]) => value !== null && typeof value !== 'object',
  );
  return oneLine(simple.map(([name, value]) => `${name}=${String(value)}`).join(' '), 120);
}
