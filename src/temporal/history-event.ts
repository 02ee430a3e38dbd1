import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { SeenEvent } from '../contract/histories.ts';

type Reverse = ReturnType<Client['workflowService']['getWorkflowExecutionHistoryReverse']>;
export type RawEvent = NonNullable<NonNullable<Awaited<Reverse>['history']>['events']>[number];
type Payloads = { readonly payloads?: readonly Payload[] | null } | null | undefined;
type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];
type Time = RawEvent['eventTime'];

/** What was ordered, by commit id. */
type OrderKinds = ReadonlyMap<string, string>;

const LONGEST = 200;

/** The turn that the event names and a short summary, never its whole payload. */
export function toSeenEvent(event: RawEvent, kinds: OrderKinds = new Map()): SeenEvent {
  const type = typeOf(event);
  const scheduled = event.activityTaskScheduledEventAttributes;
  return {
    eventId: Number(event.eventId),
    type,
    at: timeOf(event.eventTime),
    about: aboutOf(event, kinds).slice(0, LONGEST),
    turn: scheduled == null ? null : turnNamedIn(argumentsOf(scheduled.input)),
    activity: scheduled?.activityType?.name ?? null,
    scheduledBy: scheduledBy(event),
  };
}

/** The server names a kind of event by the one field that holds what is special about it. */
function typeOf(event: RawEvent): string {
  const field = Object.keys(event).find(
    (name) => name.endsWith('EventAttributes') && event[name as keyof RawEvent] != null,
  );
  const name = (field ?? 'unknown').replace(/EventAttributes$/, '');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function timeOf(time: Time): string {
  const milliseconds = Number(time?.seconds ?? 0) * 1000 + Math.floor((time?.nanos ?? 0) / 1e6);
  return new Date(milliseconds).toISOString();
}

function argumentsOf(input: Payloads): unknown[] {
  return (input?.payloads ?? []).map((payload) => {
    try {
      return defaultPayloadConverter.fromPayload(payload);
    } catch {
      // A payload in another encoding is left out.
      return null;
    }
  });
}

/** The input of an activity names its turn, as `turn` or within its facts. */
function turnNamedIn(given: readonly unknown[]): number | null {
  for (const argument of given) {
    if (typeof argument !== 'object' || argument === null) continue;
    const { turn, facts } = argument as { turn?: unknown; facts?: { turn?: unknown } };
    if (typeof turn === 'number') return turn;
    if (typeof facts?.turn === 'number') return facts.turn;
  }
  return null;
}

function scheduledBy(event: RawEvent): number | null {
  const about =
    event.activityTaskStartedEventAttributes ??
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCancelRequestedEventAttributes ??
    event.activityTaskCanceledEventAttributes;
  return about?.scheduledEventId == null ? null : Number(about.scheduledEventId);
}

function aboutOf(event: RawEvent, kinds: OrderKinds): string {
  const started = event.activityTaskStartedEventAttributes;
  if (started) return started.attempt && started.attempt > 1 ? `attempt ${started.attempt}` : '';
  const failure =
    event.activityTaskFailedEventAttributes?.failure ??
    event.activityTaskTimedOutEventAttributes?.failure ??
    event.workflowTaskFailedEventAttributes?.failure ??
    event.workflowExecutionFailedEventAttributes?.failure;
  if (failure) return failure.message ?? '';
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal) return signal.signalName ?? '';
  const timer = event.timerStartedEventAttributes;
  if (timer) return `${Number(timer.startToFireTimeout?.seconds ?? 0)} s`;
  const next = event.workflowExecutionContinuedAsNewEventAttributes;
  if (next) return `into run ${next.newExecutionRunId ?? ''}`;
  const ended = event.workflowExecutionTerminatedEventAttributes;
  if (ended) return ended.reason ?? '';
  return updateIn(event, kinds) ?? event.markerRecordedEventAttributes?.markerName ?? '';
}

function updateIn(event: RawEvent, kinds: OrderKinds): string | null {
  const input = inputOf(event);
  if (!input) return null;
  const [given] = argumentsOf(input.args);
  const kind = typeof given === 'string' ? kinds.get(given) : formerKind(given);
  return [input.name, kind].filter(Boolean).join(': ');
}

/** The order that an update names. */
export function orderIn(event: RawEvent): string | null {
  const [given] = argumentsOf(inputOf(event)?.args);
  return typeof given === 'string' ? given : null;
}

const inputOf = (event: RawEvent) =>
  event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;

/** Updates from before orders carried the mutation. */
function formerKind(given: unknown): string | null {
  const { kind } = (given ?? {}) as { kind?: unknown };
  return typeof kind === 'string' ? kind : null;
}
