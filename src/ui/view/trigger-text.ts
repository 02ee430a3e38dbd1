import type { Trigger, TriggerDelivery } from '../api/types.ts';
import { plural } from './format.ts';
import type { Tone } from './tone.ts';

export function actionWords({ action }: Trigger): string {
  if (action.kind === 'start') return `starts “${action.goal.objective}”`;
  if (action.kind === 'event') return `brings the event ${action.name}`;
  return action.goalId === undefined
    ? `says something to the goal of thread ${action.threadId}`
    : `says something to ${action.goalId}`;
}

/** What a payload is read for. */
export function mappingOf(trigger: Trigger): readonly (readonly [what: string, how: string])[] {
  const { filter, parameters, action } = trigger;
  const { events = [], where = [] } = filter;
  return [
    ['Events', events.length === 0 ? 'all' : events.join(', ')] as const,
    ...where.map(
      ({ path, equals }) => ['Only where', `${path} = ${JSON.stringify(equals)}`] as const,
    ),
    ...Object.entries(parameters).map(
      ([name, given]) =>
        [
          `{{${name}}}`,
          typeof given === 'string' ? given : `${given.path}, or ${JSON.stringify(given.default)}`,
        ] as const,
    ),
    ...('text' in action && action.text !== undefined ? [['It says', action.text] as const] : []),
  ];
}

export const senderNames: Readonly<Record<Trigger['kind'], string>> = {
  standard: 'a program, by Standard Webhooks',
  github: 'GitHub',
  gitlab: 'GitLab',
};

const stateTones: Readonly<Record<TriggerDelivery['state'], Tone>> = {
  done: 'ok',
  pending: 'accent',
  ignored: '',
  refused: 'warn',
  failed: 'bad',
};

const stateNames: Readonly<Record<TriggerDelivery['state'], string>> = {
  done: 'accepted',
  pending: 'waits',
  ignored: 'left out',
  refused: 'refused',
  failed: 'given up',
};

export const deliveryState = ({ state }: TriggerDelivery): { words: string; tone: Tone } => ({
  words: stateNames[state],
  tone: stateTones[state],
});

/** Why it ended as it did, in the service's words. */
export function deliveryWords({ outcome, attempts, repeats }: TriggerDelivery): string {
  const place = outcome.place === undefined ? '' : `${outcome.place}: `;
  const tries = attempts > 1 ? `, ${plural(attempts, 'try', 'tries')}` : '';
  const again = repeats > 0 ? `, and ${plural(repeats, 'duplicate')} of it did nothing` : '';
  return `${place}${outcome.text}${tries}${again}`;
}

/** Goals that a delivery started, spoke to or woke. */
export const goalsOf = ({ outcome }: TriggerDelivery): readonly string[] => [
  ...(outcome.goalId === undefined ? [] : [outcome.goalId]),
  ...(outcome.waiting ?? []),
];
