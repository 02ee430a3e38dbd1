import type { Goal } from '../../../schema/goal.ts';
import type { ReportCall } from '../../../schema/session-report.ts';
import type { Client } from '../client.ts';
import { adoptedGoal } from './adopted-goal.ts';
import { context, type HookAnswer, MARK, tell } from './answer.ts';
import { answerStop } from './answer-stop.ts';
import { eventKey, type HookEvent } from './event.ts';
import { goalWords, standingWords } from './words.ts';

interface Asked {
  readonly client: Client;
  readonly event: HookEvent;
  /** The workspace in which the session works. */
  readonly workspace: string;
  readonly until: number;
}

/** @returns null = there is nothing to say */
export async function answerEvent({
  client,
  event,
  workspace,
  until,
}: Asked): Promise<HookAnswer | null> {
  const answer = ANSWERS[event.hook_event_name];
  if (answer === undefined) return null;
  const goal = await adoptedGoal(client, workspace);
  if (goal === null) return await blindnessOf(client, event);
  if (goal.status === 'complete') return null;
  return await answer({ client, event, goal, until });
}

/** What a person adopted is out of a program's sight: nothing would be judged, and nobody told. */
async function blindnessOf(client: Client, event: HookEvent): Promise<HookAnswer | null> {
  if (!TOLD_BLIND.includes(event.hook_event_name)) return null;
  const { role } = await client.get<{ role: string }>('/v1/session');
  if (role !== 'agent') return null;
  return tell(
    'this session’s token is a program’s, which sees no goal here but its own: if a person adopted one, it is not judged. Adopt it with this token (goalkeeper adopt), or give the session a person’s.',
  );
}

const TOLD_BLIND: readonly string[] = ['SessionStart', 'Stop'];

interface Heard extends Omit<Asked, 'workspace'> {
  readonly goal: Goal;
}

const ANSWERS: Readonly<Record<string, (heard: Heard) => Promise<HookAnswer | null>>> = {
  /** Also after a compaction, which may have left the goal out. */
  SessionStart: async ({ goal, event }) => context(event.hook_event_name, goalWords(goal)),
  UserPromptSubmit: tellPrompt,
  PostToolUse: reportCall,
  Stop: ({ client, event, goal, until }) =>
    answerStop({ client, event, goalId: goal.goalId, until }),
};

const MOST_PROMPT = 20_000;

async function tellPrompt({ client, event, goal }: Heard): Promise<HookAnswer | null> {
  const text = (event.prompt ?? '').slice(0, MOST_PROMPT);
  if (text.trim() === '' || text.startsWith(MARK)) return null;
  const body = { sessionId: event.session_id, text };
  const path = `/v1/goals/${goal.goalId}/prompts`;
  const now = await client.send<Goal>('POST', path, body, eventKey(event));
  return now.status === 'active' ? null : context(event.hook_event_name, standingWords(now));
}

async function reportCall({ client, event, goal }: Heard): Promise<null> {
  await client.send('POST', `/v1/goals/${goal.goalId}/agent-calls`, callOf(event));
  return null;
}

const KINDS: Readonly<Record<string, ReportCall['kind']>> = {
  ...{ Bash: 'execute', exec_command: 'execute', shell: 'execute', apply_patch: 'edit' },
  ...{ Edit: 'edit', Write: 'edit', MultiEdit: 'edit', NotebookEdit: 'edit', Read: 'read' },
  ...{ Grep: 'search', Glob: 'search', WebSearch: 'search', WebFetch: 'fetch' },
};

function callOf({ session_id, tool_name, tool_use_id, ...event }: HookEvent): ReportCall {
  const { tool_input: input, tool_response: response } = event;
  const name = tool_name ?? 'a tool';
  const path = pathIn(input);
  return {
    sessionId: session_id,
    callId: tool_use_id?.slice(0, 200) || `${Date.now()}-${process.pid}`,
    title: name.slice(0, 300),
    kind: KINDS[name] ?? 'other',
    input: input === undefined ? null : json(input).slice(0, 4000),
    paths: path === null ? [] : [path],
    output: json(response).slice(0, 16_000),
    isError: hasFailed(response),
  };
}

const json = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

function pathIn(input: unknown): string | null {
  const { file_path: path } = (input ?? {}) as { readonly file_path?: unknown };
  return typeof path === 'string' && /^[^\0\n]{1,4096}$/.test(path) ? path : null;
}

function hasFailed(response: unknown): boolean {
  const { is_error, isError } = (Object(response) ?? {}) as Record<string, unknown>;
  return is_error === true || isError === true;
}
