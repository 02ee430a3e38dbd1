import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Receipt } from '../../schema/ledger.ts';
import { SANDBOX } from '../sandbox/support.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { describeWith } from '../support/needs.ts';

const ask = (port: string) => `(cat < /dev/tcp/127.0.0.1/${port}) 2>&1 && echo REACHED; true`;
const claim = reply.call('attempt_completion', { result: 'It is done.' });
const run = (command: string) => reply.call('run_command', { command });

let world: GoalWorld;
const script: Script = (request) => {
  const [kind = '', ...ports] = objectiveOf(request).split(' ');
  const work =
    kind === 'asks'
      ? [run(`${ports.map(ask).join('; ')}; cat ${world.environment.GOALKEEPER_HOME}/* ~/.ssh/*`)]
      : kind === 'fetches'
        ? [run(`curl -sS -m 20 http://evil.example/; curl -sS --noproxy '' -m 20 ${ports[0]}`)]
        : [run('for i in 1 2 3 4 5; do echo live $i; sleep 0.3; done')];
  return sequence([...work, run('echo 42 > answer.txt'), claim])(request);
};

beforeAll(async () => {
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

async function finish(objective: string, more: object = {}) {
  const { goalId } = await world.start({
    objective,
    workspace: { path: await world.workspace({}) },
    criteria: [{ kind: 'command', command: 'test -f answer.txt' }],
    ...more,
  });
  return await world.until(goalId, ({ status }) => status === 'complete');
}

const portOf = (address: string): string => /:(\d+)(\/|$)/.exec(address)?.[1] ?? '';

describeWith(SANDBOX, 'isolation', () => {
  test('a command reaches neither the API, Temporal, PostgreSQL nor the home of the service', async () => {
    const { environment, url, temporal } = world;
    const addresses = [url, temporal.address, environment.DATABASE_URL ?? ''];
    const goal = await finish(`asks ${addresses.map(portOf).join(' ')}`);
    expect(goal).toMatchObject({ isolation: 'full', completion: { isolation: 'full' } });
    const path = `/v1/goals/${goal.goalId}/ledger?tool=run_command`;
    const { items } = await world.client.get<{
      items: { seq: number; phase: string; receipt?: { isolation?: string } }[];
    }>(path);
    const settled = items.filter(({ phase }) => phase === 'settled');
    expect(settled.map(({ receipt }) => receipt?.isolation)).toEqual(['full', 'full']);
    const [first = 0] = settled.map(({ seq }) => seq).sort((a, b) => a - b);
    const output = await fetch(`${url}/v1/goals/${goal.goalId}/ledger/${first}/output`, {
      headers: { authorization: `Bearer ${TOKENS.viewer}` },
    });
    const text = await output.text();
    expect(text.match(/connect: Connection refused/g)).toHaveLength(3);
    expect(text).not.toContain('REACHED');
  });

  test('what a command prints is told while it runs; with the network of the machine, isolation is partial', async () => {
    const policy = { sandbox: { network: 'host' as const } };
    const ended = finish('prints', { threadId: 'prints', policy });
    const { goalId } = await expect
      .poll(() => world.client.get<{ goalId: string }>('/v1/threads/prints/goal').catch(() => null))
      .not.toBeNull()
      .then(() => world.client.get<{ goalId: string }>('/v1/threads/prints/goal'));
    const heard = await outputEvents(goalId, /live 3/);
    expect(heard).toContain('"callId":"t1.s1.1"');
    expect(await ended).toMatchObject({
      isolation: 'partial',
      completion: { isolation: 'partial' },
    });
  });
});

describeWith(SANDBOX, 'a goal whose commands may reach listed domains', () => {
  test('PRX-20: tells where they went in its ledger, and its isolation is partial', async () => {
    const { host } = new URL(world.url);
    const domains = [`${host.replace('127.0.0.1', 'localhost')}`];
    const url = `http://${domains[0]}/healthz`;
    const goal = await finish(`fetches ${url}`, { policy: { sandbox: { network: { domains } } } });
    expect(goal).toMatchObject({
      isolation: 'partial',
      policy: { sandbox: { network: { domains } } },
    });
    const path = `/v1/goals/${goal.goalId}/ledger?tool=run_command`;
    const { items } = await world.client.get<{ items: { receipt?: Receipt }[] }>(path);
    const [reached] = items.flatMap(({ receipt }) => (receipt?.reached ? [receipt.reached] : []));
    // No setting names this machine, so the name is listed and its address is refused.
    expect(reached).toMatchObject([
      { to: 'evil.example:80', refused: expect.stringContaining('not among the domains') },
      { to: domains[0], refused: expect.stringContaining('not public') },
    ]);
  });

  test('PRX-21: a check before any goal has the same network', async () => {
    const workspace = { path: await world.workspace({}) };
    const criterion = {
      kind: 'command',
      command: 'curl -sS -m 20 http://evil.example/ | grep goalkeeper',
    };
    const policy = { sandbox: { network: { domains: ['example.org'] } } };
    const body = { workspace, criterion, policy };
    const result = await world.client.send<{ output: string }>('POST', '/v1/checks', body);
    expect(result).toMatchObject({ state: 'met', output: expect.stringContaining('not among') });
  });
});

test('PRX-22: a program lists no domains, and what is none is refused by name', async () => {
  const workspace = { path: await world.workspace({}) };
  const start = async (token: string, domain: string) => {
    const answer = await fetch(`${world.url}/v1/goals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        objective: 'prints',
        workspace,
        policy: { sandbox: { network: { domains: ['example.org', domain] } } },
      }),
    });
    return await answer.json();
  };
  expect(await start(TOKENS.agent, 'example.com')).toMatchObject({
    code: 'forbidden',
    field: 'policy.sandbox.network',
  });
  expect(await start(TOKENS.operator, 'https://example.com')).toMatchObject({
    status: 400,
    field: expect.stringContaining('policy.sandbox.network'),
  });
});

/** The stream of a goal's events until something matches. */
async function outputEvents(goalId: string, what: RegExp): Promise<string> {
  const leave = new AbortController();
  const answer = await fetch(`${world.url}/v1/goals/${goalId}/events`, {
    headers: { authorization: `Bearer ${TOKENS.viewer}` },
    signal: AbortSignal.any([leave.signal, AbortSignal.timeout(200_000)]),
  });
  let heard = '';
  for await (const chunk of answer.body ?? []) {
    heard += Buffer.from(chunk as Uint8Array).toString();
    const pieces = heard.split('\n\n').filter((frame) => frame.includes('event: command.output'));
    if (what.test(pieces.join(''))) break;
  }
  leave.abort();
  return heard;
}
