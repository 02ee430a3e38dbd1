import type { LedgerRow } from '../../schema/ledger.ts';
import { renderGoalBlock } from '../context/goal-block.ts';
import { renderPrompt } from '../context/prompts.ts';
import type { StoredMessage } from '../contract/conversation.ts';
import type { TurnRecord } from '../contract/journal.ts';
import { AGENT_PERMISSION } from '../tools/agent-permission.ts';
import { isOfAgent } from './agent-calls.ts';
import { openGrants } from './agent-permission.ts';
import type { SliceRun } from './slice-run.ts';

const MOST_BEFORE = 12;
const MOST_OF_ONE = 3000;

/** The words of one turn for an agent, whether it remembers the turns before or not. */
export async function agentPrompts(run: SliceRun): Promise<(isGoneOn: boolean) => string> {
  const { turn, goalId } = run.input;
  const before = turn === 1 ? null : await run.ports.journal.turn(goalId, turn - 1);
  const steps = before?.steps.filter(({ kind }) => kind === 'turn') ?? [];
  const isUnseen = run.failedAttempts > 0 || (steps.at(-1)?.state ?? 'committed') !== 'committed';
  const refused = (before?.settled ?? []).flatMap((row) => {
    if (row.outcome !== 'refused') return [];
    if (isPermission(row.tool)) return [`- ${row.receipt?.reason ?? row.tool}`];
    return isDecided(row) ? [`- ${nameOf(row, before)}: ${row.receipt?.reason}`] : [];
  });
  const done = (before?.settled ?? []).flatMap((row) =>
    row.outcome === 'succeeded' && isDecided(row) ? [`- ${nameOf(row, before)}`] : [],
  );
  const allowed = (await openGrants(run)).map(({ asked }) => `- ${asked.command ?? asked.title}`);
  const { brief, todos, plan, usage } = run;
  const block = renderGoalBlock({ ...brief, todos, plan, usage }, run.kind);
  const present = run.messages.filter((message) => message.turn === turn && isSaid(message));
  const earlier = run.messages.filter((message) => message.turn < turn && isSaid(message));
  return (isGoneOn) =>
    [
      renderPrompt('agent-rules'),
      ...(isGoneOn || earlier.length === 0 ? [] : [rememberedText(earlier)]),
      ...(isUnseen ? [renderPrompt('agent-unseen')] : []),
      ...(refused.length === 0
        ? []
        : [renderPrompt('agent-refused', { refused: refused.join('\n') })]),
      ...(done.length === 0 ? [] : [renderPrompt('agent-done', { done: done.join('\n') })]),
      ...(allowed.length === 0
        ? []
        : [renderPrompt('agent-allowed', { allowed: allowed.join('\n') })]),
      ...present.map(spoken),
      block,
    ].join('\n\n');
}

const isPermission = (tool: string): boolean =>
  tool.startsWith('agent.') || tool === AGENT_PERMISSION;

/** A call that the host ran, or left out, by a person's word when the agent had stopped. */
const isDecided = (row: LedgerRow): boolean =>
  !isPermission(row.tool) && !isOfAgent(row) && row.receipt?.policy?.approvalId !== undefined;

function nameOf({ tool, callId }: LedgerRow, before: TurnRecord | null): string {
  const started = before?.started.find((row) => row.callId === callId);
  const { path } = (started?.arguments ?? {}) as { readonly path?: unknown };
  return typeof path === 'string' ? `${tool} ${path}` : tool;
}

const isSaid = ({ voice, content }: StoredMessage): boolean =>
  voice !== 'tool' && content.text.trim() !== '';

function rememberedText(earlier: readonly StoredMessage[]): string {
  const told = earlier.slice(-MOST_BEFORE).map((message) => spoken(cut(message)));
  return `You begin a new session. What was said in the turns before, newest last:\n\n${told.join('\n\n')}\n\nThat was before. Now:`;
}

const cut = (message: StoredMessage): StoredMessage => {
  const { text } = message.content;
  const shown = text.length > MOST_OF_ONE ? `[…] ${text.slice(-MOST_OF_ONE)}` : text;
  return { ...message, content: { text: shown } };
};

const SPEAKERS: Readonly<Record<StoredMessage['voice'], string>> = {
  person: 'A person says:\n',
  agent: 'A program says:\n',
  host: '',
  model: 'You said:\n',
  tool: '',
};

const spoken = ({ voice, content }: StoredMessage): string => SPEAKERS[voice] + content.text;
