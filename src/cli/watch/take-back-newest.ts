import type { SentMessage } from '../../../schema/sent-message.ts';
import type { Client } from '../client.ts';
import { UsageError } from '../exit-code.ts';
import { oneLine } from '../terminal.ts';

/**
 * The newest of the person's own messages that no model call has read.
 * @returns what was done
 * @throws UsageError where none waits
 */
export async function takeBackNewest(client: Client, goalId: string): Promise<string> {
  const messages = `/v1/goals/${goalId}/messages`;
  const [{ name }, { items }] = await Promise.all([
    client.get<{ name: string }>('/v1/session'),
    client.get<{ items: SentMessage[] }>(messages),
  ]);
  const newest = items.find(({ state, sentBy }) => state === 'waiting' && sentBy === name);
  if (newest === undefined)
    throw new UsageError(
      'No message of yours waits.',
      `What was read stays said: m says what holds instead. "goalkeeper take-back ${goalId}" takes back what others said.`,
    );
  const path = `${messages}/${encodeURIComponent(newest.messageId)}/take-back`;
  await client.send<unknown>('POST', path, {});
  return `taken back: ${oneLine(newest.text, 80)}`;
}
