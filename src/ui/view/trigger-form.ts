import type { NewTrigger } from '../api/types.ts';
import { jsonIn } from './json-field.ts';
import type { Problems } from './start-form.ts';
import { namesIn } from './token-form.ts';
import { senderNames } from './trigger-text.ts';

export interface TriggerForm {
  readonly name: string;
  readonly kind: 'standard' | 'github' | 'gitlab';
  /** Empty = the service makes one. */
  readonly secret: string;
  /** Names between commas; empty = all. */
  readonly events: string;
  /** `PATH=VALUE`, one a line. */
  readonly where: string;
  /** `NAME=PATH`, one a line. */
  readonly parameters: string;
  readonly does: 'start' | 'message' | 'event';
  readonly objective: string;
  readonly workspace: string;
  readonly criterion: string;
  /** Other fields of the start, as JSON. */
  readonly rest: string;
  readonly to: 'goal' | 'thread';
  readonly target: string;
  readonly brings: string;
  readonly text: string;
  readonly mostPerHour: string;
}

export const emptyTrigger: TriggerForm = {
  ...{ name: '', kind: 'standard', secret: '', events: '', where: '', parameters: '' },
  ...{ does: 'start', objective: '', workspace: '', criterion: '', rest: '' },
  ...{ to: 'goal', target: '', brings: '', text: '', mostPerHour: '100' },
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A line's name and value; null = it has no `=`. */
function pairOf(line: string): readonly [string, string] | null {
  const at = line.indexOf('=');
  return at < 1 ? null : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

const pairsIn = (text: string): (readonly [string, string])[] =>
  linesOf(text).flatMap((line) => {
    const pair = pairOf(line);
    return pair === null ? [] : [pair];
  });

/** A value as a payload may hold it: `true`, `7` and `null` are no texts. */
function payloadValue(text: string): string | number | boolean | null {
  if (!/^(?:true|false|null|-?\d+(?:\.\d+)?|".*")$/s.test(text)) return text;
  try {
    return JSON.parse(text) as string | number | boolean | null;
  } catch {
    return text;
  }
}

const bare = (text: string, way: string): string =>
  linesOf(text).some((line) => pairOf(line) === null) ? way : '';

/** What keeps it from being sent, by the name that the service gives the field. */
export function triggerProblems(form: TriggerForm): Problems {
  const all: Record<string, string> = {
    name: form.name.trim() === '' ? 'Give it a name.' : '',
    'filter.where': bare(form.where, 'Each line is PATH=VALUE, such as $.action=opened.'),
    parameters: bare(form.parameters, 'Each line is NAME=PATH, such as title=$.issue.title.'),
    mostPerHour: Number(form.mostPerHour) > 0 ? '' : 'A whole number above 0',
    ...actionProblems(form),
  };
  return Object.fromEntries(Object.entries(all).filter(([, problem]) => problem !== ''));
}

function actionProblems(form: TriggerForm): Record<string, string> {
  const missing = (text: string, problem: string) => (text.trim() === '' ? problem : '');
  switch (form.does) {
    case 'start':
      return {
        'action.goal.objective': missing(form.objective, 'Say what the goal is.'),
        'action.goal.workspace': missing(form.workspace, 'Say where it works.'),
        'action.goal': jsonIn(form.rest).problem,
      };
    case 'message':
      return {
        'action.goalId': missing(form.target, 'Name the goal or the thread.'),
        'action.text': missing(form.text, 'Say what it is told.'),
      };
    case 'event':
      return { 'action.name': missing(form.brings, 'Name the event that goals wait for.') };
  }
}

export function triggerBody(form: TriggerForm): NewTrigger {
  const where = pairsIn(form.where).map(([path, value]) => ({ path, equals: payloadValue(value) }));
  const events = namesIn(form.events);
  return {
    name: form.name.trim(),
    kind: form.kind,
    ...(form.secret.trim() === '' ? {} : { secret: form.secret.trim() }),
    filter: {
      ...(events.length === 0 ? {} : { events }),
      ...(where.length === 0 ? {} : { where }),
    },
    parameters: Object.fromEntries(pairsIn(form.parameters)),
    action: actionOf(form),
    mostPerHour: Number(form.mostPerHour),
  };
}

function actionOf(form: TriggerForm): NewTrigger['action'] {
  const { does, objective, workspace, criterion, rest, to, target, brings, text } = form;
  if (does === 'event') {
    return {
      ...{ kind: does, name: brings.trim() },
      ...(text.trim() === '' ? {} : { text: text.trim() }),
    };
  }
  if (does === 'message') {
    const whom = to === 'goal' ? { goalId: target.trim() } : { threadId: target.trim() };
    return { kind: does, ...whom, text: text.trim() };
  }
  const command = criterion.trim();
  return {
    kind: does,
    goal: {
      ...(command === '' ? {} : { criteria: [{ kind: 'command', command }] }),
      workspace: /^[/~.]/.test(workspace.trim())
        ? { path: workspace.trim() }
        : { name: workspace.trim() },
      ...jsonIn(rest).value,
      objective: objective.trim(),
    },
  };
}

export const kindChoices = (['standard', 'github', 'gitlab'] as const).map(
  (kind) => [kind, senderNames[kind]] as const,
);

/** Where the sender takes the address and the secret. */
export const senderWords = {
  standard: 'Sign each delivery as Standard Webhooks says, with this secret.',
  github:
    'In the repository: Settings, Webhooks, Add webhook: this URL, application/json, the secret.',
  gitlab: 'In the project: Settings, Webhooks, Add new webhook: this URL, the secret token.',
} as const;
