import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import type { Inbox } from '../../schema/inbox.ts';
import { startRepository } from '../support/git.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { changedFiles, changedScript } from './changed-world.ts';
import { consoleScripts } from './console-world.ts';
import { inboxFiles, inboxScripts, inboxTerms, type Waiting, waitingKinds } from './inbox-world.ts';

/** A check that the work has to change is beyond its scope: the proof holds with it alone. */
const gutted = sequence([
  reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
  reply.call('write_file', { path: 'test/check.sh', content: 'exit 0\n' }),
  reply.call('attempt_completion', { result: 'It is done.', command: 'sh test/check.sh' }),
]);

/** What a branch of its own holds, until a person says more. */
const onBranch = sequence([
  reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
  reply.call('ask_user', { question: 'Is it the right one?' }),
]);

const scripts: Readonly<Record<string, Script>> = {
  ...consoleScripts,
  ...Object.fromEntries(
    (['Dispute', 'Spend', 'Propose'] as const).map((kind) => [kind, inboxScripts[kind]]),
  ),
  Edit: inboxScripts.Port as Script,
  Port: changedScript,
  Gut: gutted,
  Branch: onBranch,
};

const answerExists = { kind: 'file', path: 'answer.txt', exists: true } as const;

/** One goal of each kind that the console's pages show. */
export interface WalkedWorld extends GoalWorld {
  readonly goals: {
    readonly running: Goal;
    readonly proven: Goal;
    readonly holding: Goal;
    readonly changed: Goal;
    readonly refused: Goal;
    /** On a worktree of its own. */
    readonly branch: Goal;
  };
  /** Of the inbox, by kind. */
  readonly items: readonly { readonly kind: string; readonly itemId: string }[];
}

export async function openWalkedWorld(
  environment: Readonly<Record<string, string>>,
): Promise<WalkedWorld> {
  const script: Script = (request) =>
    (scripts[objectiveOf(request).split(' ')[0] ?? ''] ?? sequence([reply.text('?')]))(request);
  const agents = JSON.stringify({ quiet: { command: 'goalkeeper-no-such-agent' } });
  const world = await openGoalWorld({
    script,
    environment: { GOALKEEPER_AGENTS: agents, ...environment },
  });
  const start = async (
    objective: string,
    files: Record<string, string>,
    more: Partial<StartGoal>,
    holds: (goal: Goal) => boolean,
  ): Promise<Goal> => {
    const path = await world.workspace(files);
    if (more.workspace?.mode === 'worktree') startRepository(path);
    const asked = {
      ...{ objective, criteria: [answerExists], ...more },
      workspace: { ...more.workspace, path },
    };
    const { goalId } = await world.start(asked);
    return await world.until(goalId, holds, 60_000);
  };
  const waits = (kind: Waiting, objective: string) =>
    start(objective, inboxFiles, inboxTerms[kind] ?? {}, waitingKinds[kind]);
  const plain = { 'package.json': '{"scripts":{"test":"exit 1"}}\n', 'src/index.js': '\n' };

  await waits('Port', 'Edit the orders with care');
  await waits('Ask', 'Ask who owns it');
  await waits('Dispute', 'Dispute the check');
  await waits('Spend', 'Spend one turn');
  const refused = await waits('Propose', 'Propose a wider check');
  const proven = await start(
    'Finish one goal',
    plain,
    { requirements: [{ text: 'There is an answer.', criteria: ['c1'] }] },
    ({ status }) => status === 'complete',
  );
  const holding = await start(
    'Gut the check',
    inboxFiles,
    {
      criteria: [{ kind: 'command', command: 'sh test/check.sh' }],
      requirements: [{ text: 'There is an answer.', criteria: ['c1'] }],
      scope: { change: ['answer.txt'] },
      policy: { proof: 'scope' },
    },
    ({ activity, pause }) => activity.on === 'approval' || pause !== undefined,
  );
  const changed = await start(
    'Port the orders',
    changedFiles,
    {
      criteria: [{ kind: 'command', command: 'node --test' }, answerExists],
      scope: { change: ['src/**'] },
    },
    ({ pause }) => pause?.questionId !== undefined,
  );
  const branch = await start(
    'Branch off',
    plain,
    { workspace: { path: '', mode: 'worktree' } },
    ({ pause }) => pause?.questionId !== undefined,
  );
  const running = await start('Watch one goal', plain, {}, ({ usage }) => usage.turns >= 2);

  const workspace = { path: await world.workspace(plain) };
  await world.client.send('POST', '/v1/tokens', { name: 'ci', role: 'agent' });
  await world.client.send('POST', '/v1/schedules', {
    name: 'weekly',
    when: { everySeconds: 86_400 },
    start: { objective: 'Finish the dependencies', workspace, criteria: [answerExists] },
  });
  await world.client.send('POST', '/v1/triggers', {
    name: 'issues',
    action: {
      kind: 'start',
      goal: { objective: 'Finish an issue', workspace, criteria: [answerExists] },
    },
  });
  const { items } = await world.client.get<Inbox>('/v1/inbox');
  return {
    ...world,
    goals: { running, proven, holding, changed, refused, branch },
    items: items.map(({ kind, itemId }) => ({ kind, itemId })),
  };
}
