import type { Client } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';

type Context = Parameters<PayloadCodec['decode']>[1];

interface History {
  readonly events?:
    | readonly {
        readonly activityTaskScheduledEventAttributes?: {
          readonly activityId?: string | null;
        } | null;
      }[]
    | null;
}

/** Opens all payloads of a fetched history in place, as recorded histories are replayed without keys. */
export async function openPayloads(
  { options }: Client,
  workflowId: string,
  history: History,
): Promise<void> {
  const [codec] = options.loadedDataConverter.payloadCodecs;
  const workflow: Context = { type: 'workflow', namespace: options.namespace, workflowId };
  const ids = (history.events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.activityId ?? [],
  );
  const activities = ids.map(
    (activityId): Context => ({ ...workflow, type: 'activity', activityId, isLocal: false }),
  );
  const contexts = [workflow, undefined, ...activities];
  const open = async (payload: Payload): Promise<void> => {
    for (const context of contexts) {
      const [opened] = (await codec?.decode([payload], context).catch(() => null)) ?? [];
      if (opened !== undefined) return void Object.assign(payload, opened);
    }
  };
  const walk = async (value: unknown): Promise<void> => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
    if ('metadata' in value && 'data' in value) return await open(value as Payload);
    for (const inner of Object.values(value)) await walk(inner);
  };
  await walk(history);
}
