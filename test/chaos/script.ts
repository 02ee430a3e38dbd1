import {
  type ChatRequest,
  goalIdOf,
  objectiveOf,
  reply,
  type Script,
  type ScriptedReply,
} from '../../demo/script.ts';

interface Act {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** Has the model seen that it is done? */
  readonly isDone: (results: readonly string[]) => boolean;
}

const wasSeen = (results: readonly string[]): boolean =>
  results.some((text) => !/^(Outcome unknown|Not run|cancelled)/.test(text));
const once = (results: readonly string[]): boolean => results.length > 0;

export const FIRST = 'echo one >> first.log';
export const SECOND = 'echo two >> second.log && test -f answer.txt';
export const TODOS = ['Write the answer', 'Check the answer'] as const;

const read: Act = { tool: 'read_file', input: { path: 'notes.txt' }, isDone: wasSeen };
const list: Act = { tool: 'list_files', input: {}, isDone: wasSeen };

/** Everything that a goal can do in this version, in an order that a model might choose. */
const ACTS: readonly Act[] = [
  {
    tool: 'todo_write',
    input: {
      todos: [
        { content: TODOS[0], status: 'in_progress' },
        { content: TODOS[1], status: 'pending' },
      ],
    },
    isDone: wasSeen,
  },
  read,
  { tool: 'run_command', input: { command: FIRST }, isDone: wasSeen },
  { tool: 'attempt_completion', input: { result: 'Done already.' }, isDone: once },
  { tool: 'write_file', input: { path: 'answer.txt', content: '41\n' }, isDone: wasSeen },
  {
    tool: 'edit_file',
    input: { path: 'answer.txt', edits: [{ oldText: '41', newText: '42' }] },
    isDone: wasSeen,
  },
  {
    tool: 'complete_step',
    input: {
      step: '1',
      result: 'It is written.',
      evidence: [{ kind: 'diff', summary: 'the file', paths: ['answer.txt'] }],
    },
    isDone: (results) => results.some((text) => text.includes('[x]')),
  },
  { tool: 'ask_user', input: { question: 'Shall I check it?', default: 'Yes.' }, isDone: once },
  { tool: 'run_command', input: { command: SECOND }, isDone: wasSeen },
  {
    tool: 'complete_step',
    input: {
      step: '2',
      result: 'It is checked.',
      evidence: [{ kind: 'verification', summary: 'the check', command: SECOND }],
    },
    isDone: (results) => results.some((text) => text.includes('Every item is completed')),
  },
  { tool: 'attempt_completion', input: { result: 'The answer is 42.' }, isDone: () => false },
];

/** What makes a goal harder; part of its objective, where the script finds it. */
export const STEERED = 'A person steers.';
export const OVERLOADED = 'The provider is overloaded once.';
export const LIMITED = 'The provider limits once.';
export const REFUSED = 'The provider refuses until another one is asked.';
export const ASKED = 'The policy asks about writing.';
export const UNANSWERED = 'Nobody answers questions.';
export const HANGING = 'The provider hangs once.';

export interface ChaosModel {
  readonly script: Script;
  /** How often a goal's model was asked, by the provider's own count. */
  requestsOf(goalId: string): number;
  hasHung(goalId: string): boolean;
}

/** What the script does and looks up while a model is being asked. */
export interface Backstage {
  steer(goalId: string): Promise<unknown>;
  /** Trouble that died with its worker comes again, until the record holds it. */
  hasFailed(goalId: string): Promise<boolean>;
  hasWaited(goalId: string): Promise<boolean>;
  hasFallenBack(goalId: string): Promise<boolean>;
}

/**
 * Decides by what the conversation has shown so far, so that it goes on wherever a crash left it.
 * What it has seen done it remembers: a request carries the newest messages only.
 */
export function chaosModel({ steer, hasFailed, hasWaited, hasFallenBack }: Backstage): ChaosModel {
  const requests = new Map<string, number>();
  const hung = new Set<string>();
  const done = new Map<string, Set<Act>>();
  const steered = new Map<string, Promise<unknown>>();

  async function troubleBefore(
    { tool }: Act,
    goalId: string,
    objective: string,
  ): Promise<ScriptedReply | null> {
    const suffers = (mood: string, at: string) => tool === at && objective.includes(mood);
    if (suffers(OVERLOADED, 'write_file') && !(await hasFailed(goalId))) return reply.error(503);
    if (suffers(LIMITED, 'edit_file') && !(await hasWaited(goalId))) {
      return reply.error(429, { error: { message: 'slow down' } }, { 'retry-after': '6' });
    }
    if (suffers(REFUSED, 'edit_file') && !(await hasFallenBack(goalId))) return reply.error(401);
    if (suffers(HANGING, 'edit_file') && !hung.has(goalId)) {
      hung.add(goalId);
      return { hang: 'before' };
    }
    if (suffers(STEERED, 'list_files')) {
      const steering = steered.get(goalId) ?? steer(goalId);
      steered.set(goalId, steering);
      await steering.catch(() => {});
    }
    return null;
  }

  return {
    requestsOf: (goalId) => requests.get(goalId) ?? 0,
    hasHung: (goalId) => hung.has(goalId),
    async script(request) {
      const goalId = goalIdOf(request) ?? '';
      requests.set(goalId, (requests.get(goalId) ?? 0) + 1);
      const seen = done.get(goalId) ?? new Set();
      done.set(goalId, seen);
      const act = nextAct(request, seen);
      const trouble = await troubleBefore(act, goalId, objectiveOf(request));
      return trouble ?? reply.call(act.tool, act.input, `Now ${act.tool}.`);
    },
  };
}

function nextAct(request: ChatRequest, seen: Set<Act>): Act {
  const acts = objectiveOf(request).includes(STEERED) ? [list, ...ACTS] : ACTS;
  for (const act of acts) if (act.isDone(resultsOf(request, act))) seen.add(act);
  const open = acts.find((act) => !seen.has(act));
  if (open === undefined) throw new Error('the last act is never done');
  return open;
}

function resultsOf(request: ChatRequest, { tool, input }: Act): string[] {
  const wanted = JSON.stringify(input);
  const ids = request.messages
    .flatMap(({ calls }) => calls)
    .filter((call) => call.tool === tool && call.input === wanted)
    .map(({ id }) => id);
  return request.messages
    .filter(({ role, callId }) => role === 'tool' && ids.includes(callId ?? ''))
    .map(({ text }) => text);
}
