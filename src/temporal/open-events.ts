import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import type { GoalRun } from '../contract/histories.ts';
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
  { goalId, epoch }: GoalRun,
  events: readonly RawEvent[],
): Promise<readonly RawEvent[]> {
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
  const open = async (payload: Payload, context?: Context): Promise<Payload> =>
    (await codec?.decode([payload], context).catch(() => null))?.[0] ?? payload;
  const openAll = async (input: Payloads, context: Context): Promise<void> => {
    const payloads = input?.payloads;
    if (payloads == null) return;
    for (const [index, payload] of payloads.entries())
      payloads[index] = await open(payload, context);
  };
  const openFailure = async (failure: Failure, context?: Context): Promise<void> => {
    if (failure?.encodedAttributes == null) return;
    failure.message = messageIn(await open(failure.encodedAttributes, context));
  };
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
    await openFailure(failed?.failure, failedId == null ? undefined : activity(failedId));
    await openFailure(event.workflowExecutionFailedEventAttributes?.failure, workflow);
    await openFailure(event.workflowTaskFailedEventAttributes?.failure);
  }
  return events;
}

function messageIn(attributes: Payload): string {
  try {
    const { message } = defaultPayloadConverter.fromPayload<{ message?: unknown }>(attributes);
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}
