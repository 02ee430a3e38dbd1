import type {
  MadeTrigger,
  ShownDelivery,
  Trigger,
  TriggerAction,
  TriggerVerdict,
} from '../../schema/trigger.ts';
import { oneLine, printable } from './terminal.ts';

/** One line: what it is and does. */
export const triggerLine = ({ name, kind, action, path, owner, paused }: Trigger): string =>
  `${name} · ${kind} · ${actionText(action)} · as ${owner} · ${path}${
    paused === undefined ? '' : ` · paused by ${paused.by}`
  }`;

function actionText(action: TriggerAction): string {
  if (action.kind === 'start') return `starts "${oneLine(action.goal.objective, 50)}"`;
  if (action.kind === 'event') return `brings the event ${action.name}`;
  return action.goalId === undefined
    ? `messages the goal of thread ${action.threadId}`
    : `messages ${action.goalId}`;
}

export function triggerText(trigger: Trigger): string {
  const { filter, parameters, refused, deliveries = [] } = trigger;
  const { events = [], where = [] } = filter;
  const lines = [
    triggerLine(trigger),
    ...(events.length === 0 ? [] : [`only ${events.join(', ')}`]),
    ...where.map(({ path, equals }) => `only where ${path} is ${JSON.stringify(equals)}`),
    ...Object.entries(parameters).map(([name, given]) => `${name} = ${pathText(given)}`),
    ...(refused.count === 0
      ? []
      : [`${refused.count} refused, the last ${refused.lastAt}: ${refused.lastWhy}`]),
    deliveries.length === 0 ? 'no deliveries yet' : 'deliveries, the newest first:',
    ...deliveries.map(deliveryLine),
  ];
  return lines.map(printable).join('\n');
}

const pathText = (given: Trigger['parameters'][string]): string =>
  typeof given === 'string' ? given : `${given.path}, or ${JSON.stringify(given.default)}`;

function deliveryLine(delivery: ShownDelivery): string {
  const { receivedAt, externalId, event, state, outcome, attempts, repeats } = delivery;
  const place = outcome.place === undefined ? '' : `${outcome.place}: `;
  const again = repeats > 0 ? ` (came ${repeats + 1} times)` : '';
  const tries = attempts > 1 ? ` (${attempts} tries)` : '';
  const named = [externalId, event].filter((one) => one !== null).join(' ');
  return `  ${receivedAt}  ${named}  ${state}${tries}${again}: ${place}${outcome.text}`;
}

export function verdictText(verdict: TriggerVerdict): string {
  const place = verdict.place === undefined ? '' : `${verdict.place}: `;
  const act = verdict.act === undefined ? '' : `\n${JSON.stringify(verdict.act, null, 1)}`;
  return printable(`${verdict.verdict}: ${place}${verdict.text}${act}`);
}

/** How to tell the sender. */
export function exampleText(made: MadeTrigger, url: string): string {
  const lines = {
    standard: ['Sign as Standard Webhooks says, with the secret below.'],
    github: [
      'In the repository: Settings, Webhooks, Add webhook: this URL, application/json, the secret.',
    ],
    gitlab: ['In the project: Settings, Webhooks, Add new webhook: this URL, the secret token.'],
  }[made.kind];
  return [`${url}${made.path}`, ...lines, 'Keep the secret: it is shown this once.'].join('\n');
}
