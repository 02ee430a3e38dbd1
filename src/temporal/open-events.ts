import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import type { GoalEpoch } from '../contract/histories.ts';
import type { RawEvent } from './history-event.ts';
import { workflowIdOf } from './names.ts';

type Context = NonNullable<Parameters<PayloadCodec['decode']>[1]>;
type Payloads = { payloads?: Payload[] | null } | null | undefined;
type Failure = { message?: string | null; encodedAttributes?: Payload | null } | null | undefined;

/**
 * Opens what people are shown of a page of events, in place. What doesn't open stays as it is: an
 * event from before payloads were encrypted is readable, and any other shows its type.
 */
export async function openEvents(
  client: Client,
  goal: GoalEpoch,
  events: readonly RawEvent[],
): Promise<readonly RawEvent[]> {
  const { workflow, activity, open } = openerOf(client, goal);
  const openAll = async (input: Payloads, context: Context): Promise<void> => {
    const payloads = input?.payloads;
    if (payloads == null) return;
    for (const [index, payload] of payloads.entries())
      payloads[index] = await open(payload, context);
  };
  const openMessage = (failure: Failure, context?: Context) => openIn(open, failure, context);
  const activityIds = new Map(
    events.map((event) => [
      Number(event.eventId),
      event.activityTaskScheduledEventAttributes?.activityId,
    ]),
  );
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    await openAll(scheduled?.input, activity(scheduled?.activityId ?? ''));
    const update = event.workflowExecutionUpdateAcceptedEventAttributes;
    await openAll(update?.acceptedRequest?.input?.args, workflow);
    const failed = event.activityTaskFailedEventAttributes;
    const failedId = activityIds.get(Number(failed?.scheduledEventId));
    await openMessage(failed?.failure, failedId == null ? undefined : activity(failedId));
    await openMessage(event.workflowExecutionFailedEventAttributes?.failure, workflow);
    await openMessage(event.workflowTaskFailedEventAttributes?.failure);
  }
  return events;
}

/** Opens what an activity failed with, in place. */
export async function openFailure(
  client: Client,
  goal: GoalEpoch,
  failure: Failure,
  activityId: string,
): Promise<void> {
  const { activity, open } = openerOf(client, goal);
  await openIn(open, failure, activity(activityId));
}

type Open = (payload: Payload, context?: Context) => Promise<Payload>;

async function openIn(open: Open, failure: Failure, context?: Context): Promise<void> {
  if (failure?.encodedAttributes == null) return;
  failure.message = messageIn(await open(failure.encodedAttributes, context));
}

function openerOf(client: Client, { goalId, epoch }: GoalEpoch) {
  const { namespace, loadedDataConverter } = client.options;
  const workflow: Context = {
    type: 'workflow',
    namespace,
    workflowId: workflowIdOf(goalId, epoch),
  };
  const activity = (activityId: string): Context => ({
    ...workflow,
    type: 'activity',
    activityId,
    isLocal: false,
  });
  const [codec] = loadedDataConverter.payloadCodecs;
  const open: Open = async (payload, context) =>
    (await codec?.decode([payload], context).catch(() => null))?.[0] ?? payload;
  return { workflow, activity, open };
}

function messageIn(attributes: Payload): string {
  try {
    const { message } = defaultPayloadConverter.fromPayload<{ message?: unknown }>(attributes);
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}
