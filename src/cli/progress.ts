import type { Activity } from '../../schema/goal.ts';
import { oneLine, type Paint } from './terminal.ts';

export interface ProgressEvent {
  readonly type: string;
  readonly data: unknown;
  readonly at: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** One event as one line; null for events that a person at a terminal need not see. */
export function progressLine(event: ProgressEvent, paint: Paint): string | null {
  const fields = (
    typeof event.data === 'object' && event.data !== null ? event.data : {}
  ) as Fields;
  const words = wordsOf(event.type, fields, paint);
  return words === null ? null : `${paint.dim(event.at.slice(11, 19))} ${words}`;
}

function wordsOf(type: string, fields: Fields, paint: Paint): string | null {
  const word = (name: string) => oneLine(String(fields[name] ?? ''), 160);
  switch (type) {
    case 'turn.opened':
      return `turn ${word('turn')} ${word('kind')}`;
    case 'step.started':
    case 'message.added':
    case 'step.committed':
    case 'todos.changed':
    case 'plan.changed':
    case 'requirements.added':
      return null;
    case 'goal.started':
      return 'goal started';
    case 'goal.messaged':
    case 'goal.answered':
    case 'goal.decided':
    case 'goal.resumed':
    case 'goal.paused':
    case 'goal.amended':
    case 'goal.cleared':
    case 'goal.completed':
      return `${type.slice('goal.'.length)} by ${word('role') || 'the service'}`;
    case 'criteria.detected':
      return detectedText(fields, paint);
    case 'criterion.proposed':
      return paint.notable('the model proposes a criterion: see "goalkeeper approvals"');
    case 'requirements.proposed':
      return paint.notable('the model proposes to change requirements: see "goalkeeper approvals"');
    case 'scope.told':
      return toldText(fields, paint);
    case 'scope.proposed':
      return paint.notable('the model asks for a wider scope: see "goalkeeper approvals"');
    case 'goal.dispute_decided':
      return `dispute answered by ${word('role') || 'the service'}: ${word('decision')}`;
    case 'goal.replaced':
      return `replaced by ${word('by')}`;
    case 'step.failed':
      return failedText(fields, paint);
    case 'model.fell_back':
      return paint.notable(
        `the fallback model stands in until ${word('until')}: ${word('reason')}`,
      );
    case 'step.lost':
      return '  a model call was lost with its worker: charged as estimated, and sent again';
    case 'conversation.compacted':
      return `  the conversation was compacted: ${word('tokensBefore')} → ${word('tokensAfter')} tokens`;
    case 'execution.lost':
      return paint.bad('its execution was lost; everything until then is kept');
    case 'execution.renewed':
      return 'goes on in a new execution';
    case 'security.refused':
      return paint.bad(`Temporal was told what no one here sent: ${word('what')} ${word('name')}`);
    case 'tool.withheld':
      return paint.notable(`${word('tool')} is withheld: goalkeeper pins shows what changed`);
    case 'call.started':
      return paint.dim(`  ${nameOf(word('tool'))} …`);
    case 'call.settled':
      return `  ${nameOf(word('tool'))} ${outcome(fields, paint)}`;
    case 'turn.settled':
      return `turn ${word('turn')} settled: ${word('sentence') || word('action')}`;
    case 'goal.changed':
      return `goal is ${paint.notable(word('status') || 'changed')}${waitText(fields)}`;
    default:
      return `${type} ${paint.dim(rest(fields))}`.trimEnd();
  }
}

/** Which files are the work, and what that means for the level that can be reached. */
function toldText({ scope, notices }: Fields, paint: Paint): string | null {
  const said = Array.isArray(notices)
    ? notices.map((text) => paint.notable(oneLine(String(text), 400)))
    : [];
  const lines = [
    ...(typeof scope === 'string' && scope !== '' ? [oneLine(scope, 600)] : []),
    ...said,
  ];
  return lines.length === 0 ? null : lines.join('\n');
}

/** The error of a model call; an answer that only broke the protocol has none. */
function failedText({ error }: Fields, paint: Paint): string {
  const { kind, message } = (error ?? {}) as { kind?: unknown; message?: unknown };
  if (kind === undefined) return '  a model call gave no usable answer';
  return paint.bad(`  model call failed, ${String(kind)}: ${oneLine(String(message ?? ''), 160)}`);
}

/** The actor that the goal waits for, and the time at which it goes on by itself. */
function waitText({ activity }: Fields): string {
  const { state, on, reason, until } = (activity ?? {}) as Partial<Activity>;
  if (state !== 'waiting') return '';
  const end = until === undefined ? '' : ` until ${until.slice(11, 19)}`;
  return `, waits for ${on}${end}: ${oneLine(reason ?? '', 160)}`;
}

interface Detected {
  readonly criterionId: string;
  readonly spec: { readonly name?: string; readonly command?: string };
}

/** The detected criteria of a goal that was started without any. */
function detectedText({ criteria }: Fields, paint: Paint): string {
  const found = (Array.isArray(criteria) ? criteria : []) as Detected[];
  if (found.length === 0) return 'no check of the project works now: a person will judge';
  const shown = found.map(({ criterionId, spec }) => `${criterionId} ${spec.command ?? ''}`);
  return paint.notable(
    `guards, checks of the project that hold now: ${oneLine(shown.join(', '), 300)}`,
  );
}

/** The host's own checks are no tools of the model. */
const hostChecks: Readonly<Record<string, string>> = {
  'check.baseline': 'baseline check',
  'check.gate': 'gate check',
  'check.proof': 'proof run',
  'check.setup': 'setup',
  'check.dispute': 'counter-example',
};

const nameOf = (tool: string): string => hostChecks[tool] ?? tool;

function outcome({ tool, outcome, exitCode }: Fields, paint: Paint): string {
  const exit = typeof exitCode === 'number' && exitCode !== 0 ? ` (exit ${exitCode})` : '';
  if (outcome === 'succeeded') return paint.good('succeeded') + exit;
  // A check that fails before the work begins is no error: the goal is to make it pass.
  if (tool === 'check.baseline') return `does not hold yet${exit}`;
  return paint.bad(String(outcome ?? 'settled')) + exit;
}

function rest(fields: Fields): string {
  const simple = Object.entries(fields).filter(
    ([, value]) => value !== null && typeof value !== 'object',
  );
  return oneLine(simple.map(([name, value]) => `${name}=${String(value)}`).join(' '), 120);
}
