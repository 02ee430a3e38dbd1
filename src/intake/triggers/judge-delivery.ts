import { startGoalSchema } from '../../../schema/goal.ts';
import { dotted, firstMisfit } from '../../../schema/misfits.ts';
import type { TriggerFilter, TriggerParameters } from '../../../schema/trigger.ts';
import type { TriggerAct, TriggerTerms } from '../../contract/triggers.ts';
import { fillTemplate, type Values } from '../terms/fill-template.ts';
import { valueAt } from './json-path.ts';

/** A value of the payload is cut behind so many characters, and so is the text of an act. */
const LONGEST_VALUE = 4000;
const LONGEST_TEXT = 20_000;

export interface Payload {
  readonly event: string | null;
  readonly body: unknown;
}

export type DeliveryVerdict =
  | { readonly verdict: 'acts'; readonly act: TriggerAct; readonly values: Values }
  | { readonly verdict: 'ignored'; readonly text: string }
  | { readonly verdict: 'refused'; readonly text: string; readonly place: string };

type Judged = Pick<TriggerTerms, 'name' | 'filter' | 'parameters' | 'action'>;

/** What a delivery does: all of it is known, and within its bounds, before anything is done. */
export function judgeDelivery(
  trigger: Judged,
  payload: Payload,
  /** Takes secrets out of the payload's values, which are stored. */
  mask: (text: string) => string = (text) => text,
): DeliveryVerdict {
  const why = whyIgnored(trigger.filter, payload);
  if (why !== null) return { verdict: 'ignored', text: why };
  const looked = valuesOf(trigger.parameters, payload.body, mask);
  if ('place' in looked) return { verdict: 'refused', ...looked };
  return actOf(trigger, looked.values, payload.event);
}

function whyIgnored({ events, where = [] }: TriggerFilter, { event, body }: Payload) {
  if (event === 'ping' && events?.includes('ping') !== true)
    return 'a ping, which asks for nothing';
  if (events !== undefined && (event === null || !events.includes(event))) {
    return `the event ${event ?? '(none)'} is not among ${events.join(', ')}`;
  }
  const unlike = where.find(({ path, equals }) => valueAt(body, path) !== equals);
  return unlike === undefined ? null : `${unlike.path} is not ${JSON.stringify(unlike.equals)}`;
}

type Looked = { readonly values: Values } | { readonly text: string; readonly place: string };

function valuesOf(
  parameters: TriggerParameters,
  body: unknown,
  mask: (text: string) => string,
): Looked {
  const values: Record<string, string> = {};
  for (const [name, given] of Object.entries(parameters)) {
    const { path, default: fallback } =
      typeof given === 'string' ? { path: given, default: undefined } : given;
    const text = asText(valueAt(body, path)) ?? fallback;
    if (text === undefined) {
      const wayOut = 'Give the parameter a default, or filter such deliveries out.';
      return { place: `parameters.${name}`, text: `${path} has no plain value. ${wayOut}` };
    }
    values[name] = cut(mask(text), LONGEST_VALUE);
  }
  return { values };
}

/** Objects and lists are no words; null is the absence of one. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function actOf({ name, action }: Judged, values: Values, event: string | null): DeliveryVerdict {
  const { content, unfilled } = fillTemplate(action, values);
  if (unfilled !== null) {
    const { parameter, place, why } = unfilled;
    const text =
      why === 'unset'
        ? `there is no parameter ${parameter}: name it in parameters`
        : `takes a plain word for ${parameter}: no blanks, quotes, signs of a shell or folder above (..)`;
    return { verdict: 'refused', place: `action.${place}`, text };
  }
  const filled = content as TriggerTerms['action'];
  if (filled.kind === 'start') return startOf(filled.goal, values);
  const source = event === null ? `Trigger ${name}` : `Trigger ${name}, ${event}`;
  if (filled.kind === 'message') {
    const { goalId, threadId } = filled;
    const text = cut(`${source}:\n${filled.text}`, LONGEST_TEXT);
    const target = goalId === undefined ? { threadId: threadId ?? '' } : { goalId };
    return { verdict: 'acts', values, act: { kind: 'message', ...target, text } };
  }
  const said = filled.text ?? linesOf(values);
  const text = cut(`${source} brought the event ${filled.name}.\n${said}`, LONGEST_TEXT);
  return { verdict: 'acts', values, act: { kind: 'event', name: filled.name, text, values } };
}

const linesOf = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function startOf(goal: object, values: Values): DeliveryVerdict {
  const judged = startGoalSchema.safeParse(goal);
  if (judged.success) return { verdict: 'acts', values, act: { kind: 'start', goal: judged.data } };
  const { path, message } = firstMisfit(judged.error);
  return { verdict: 'refused', place: dotted(['action', 'goal', ...path]), text: message };
}

/** By code points, so that no half of a sign is left. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const signs = [...text];
  return signs.length <= most ? text : `${signs.slice(0, most - 8).join('')}… [cut]`;
}
