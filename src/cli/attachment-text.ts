import type { GoalAttachment } from '../../schema/attachment.ts';
import type { Client } from './client.ts';
import { oneLine } from './terminal.ts';

/** The files of a goal, each with what brought it; '' = it has none. */
export async function attachmentText(client: Client, goalId: string): Promise<string> {
  const { items } = await client.get<{ items: GoalAttachment[] }>(
    `/v1/goals/${goalId}/attachments`,
  );
  if (items.length === 0) return '';
  return `\n\nfiles:\n${items.map(line).join('\n')}`;
}

function line({ name, mediaType, bytes, width, height, source, callId }: GoalAttachment): string {
  const size = width === undefined ? '' : `, ${width} × ${height}`;
  const from = source === 'call' ? `result of ${callId}` : source;
  return `  ${oneLine(name, 80)} (${mediaType}${size}, ${sizeText(bytes)}): ${from}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}
