import { setTimeout as pause } from 'node:timers/promises';
import type { Approval } from '../../../schema/approval.ts';
import type { Page } from '../../contract/reads.ts';
import { basisLines } from '../approval-text.ts';
import type { Client } from '../client.ts';
import { failureOf } from '../failure.ts';
import { oneLine, printable } from '../terminal.ts';
import type { Editor } from './editor.ts';

/** Puts what waits for a person before the editor's person, each once. */
export interface Approvals {
  /** Asks what is open and was not asked; takes back what somebody else has answered. */
  look(): Promise<void>;
  /** Waits for all that is asked. @returns whether anything was, so that the goal may go on */
  decided(): Promise<boolean>;
  /** Takes back all that is asked. */
  close(): void;
}

/** Somebody may answer elsewhere meanwhile. */
const LOOK_MS = 1000;

const OPTIONS = [
  { optionId: 'approve', name: 'Approve', kind: 'allow_once' as const },
  { optionId: 'deny', name: 'Deny', kind: 'reject_once' as const },
];

/** @param onLeft the person answers nothing now */
export function askApprovals(
  client: Client,
  editor: Editor,
  goalId: string,
  onLeft: () => void,
): Approvals {
  const asked = new Map<string, AbortController>();
  const open = new Set<Promise<void>>();
  let hasLeft = false;
  const ask = async (approval: Approval, { signal }: AbortController) => {
    const { approvalId } = approval;
    const toolCallId = `approval.${approvalId}`;
    const shown = { toolCallId, title: oneLine(approval.question, 200), content: textOf(approval) };
    editor.endMessage();
    editor.tell({ sessionUpdate: 'tool_call', ...shown, kind: 'other', status: 'pending' });
    const answer = await editor
      .ask({ toolCall: { ...shown, status: 'pending' }, options: OPTIONS }, signal)
      .catch(() => null);
    const end = (status: 'completed' | 'failed') =>
      editor.tell({ sessionUpdate: 'tool_call_update', toolCallId, status });
    if (signal.aborted || answer === null || answer.outcome.outcome === 'cancelled') {
      end('failed');
      if (signal.aborted) return;
      hasLeft = true;
      onLeft();
      return;
    }
    const decision = answer.outcome.optionId === 'approve' ? 'approve' : 'deny';
    try {
      await client.send('POST', `/v1/goals/${goalId}/approvals/${approvalId}`, { decision });
      end(decision === 'approve' ? 'completed' : 'failed');
    } catch (error) {
      end('failed');
      const { what, wayOut } = failureOf(error);
      editor.note(printable(`${what} ${wayOut}`));
    }
  };
  const look = async () => {
    const path = `/v1/approvals?goalId=${goalId}&state=open`;
    const { items } = await client.get<Page<Approval>>(path);
    for (const [approvalId, asking] of asked)
      if (!items.some((one) => one.approvalId === approvalId)) asking.abort();
    for (const approval of items) {
      if (asked.has(approval.approvalId)) continue;
      const asking = new AbortController();
      asked.set(approval.approvalId, asking);
      const work = ask(approval, asking).finally(() => open.delete(work));
      open.add(work);
    }
  };
  return {
    look,
    async decided() {
      await look();
      const hasAsked = open.size > 0;
      while (open.size > 0 && !hasLeft) {
        await Promise.race([...open, pause(LOOK_MS)]);
        await look().catch(() => {});
      }
      return hasAsked && !hasLeft;
    },
    close() {
      for (const asking of asked.values()) asking.abort();
    },
  };
}

function textOf({ kind, question, onApprove, onDeny, data }: Approval) {
  const lines = [question, ...basisLines(kind, data), `Approve: ${onApprove}`, `Deny: ${onDeny}`];
  const text = lines.map((line) => printable(line)).join('\n');
  return [{ type: 'content' as const, content: { type: 'text' as const, text } }];
}
