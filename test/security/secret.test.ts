import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, expect } from 'vitest';
import { reply } from '../../demo/script.ts';
import { ensurePassword } from '../../src/stack/postgres-cluster.ts';
import { type Mode, playClass } from './attempts.ts';
import { plainGoal } from './callers.ts';
import {
  CANARY,
  databaseFolder,
  LEDGER_KEY,
  openService,
  type Played,
  type Service,
  TOKENS,
} from './service.ts';

const MODE: Mode = { user: 'ordinary', sandbox: true };
const GITHUB = `ghp_${'Ab3d'.repeat(9)}`;
const AWS = `AKIA${'QX7Z'.repeat(4)}`;
const ENCODED = {
  base64: Buffer.from(CANARY).toString('base64'),
  shifted: Buffer.from(`x${CANARY}`).toString('base64').slice(2),
  hex: Buffer.from(CANARY).toString('hex'),
  reversed: [...CANARY].toReversed().join(''),
  url: [...CANARY].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(''),
};

/** A key of several lines, and what programs make of a secret in JSON and in indented lines. */
const LINES = ['MIIEvQIBADANBgkqhkiG9w0BAQ', 'EFAASCBKcwggSjAgEAAoIBAQC7'];
const wrapped = (end: string) =>
  Buffer.from(`${'before '.repeat(6)}${CANARY}`)
    .toString('base64')
    .replace(/.{64}/g, `$&${end}`);
const unwrapped = (text: string) =>
  Buffer.from(text.replace(/\\n|\s/g, ''), 'base64').toString('latin1');

const COLOUR = `${String.fromCharCode(27)}[0m`;

let service: Service;
let made: string;
let played: Played;
beforeAll(async () => {
  service = await openService(MODE, { DEPLOY_KEY: LINES.join('\n') });
  made = (await service.call('POST /v1/tokens', { body: { name: 'made', role: 'operator' } })).body
    .token;
  // A command has no secret in its environment, so it gets one from a file of the person's.
  const files = {
    'known.txt': CANARY,
    'shapes.txt': [GITHUB, AWS].join('\n'),
    [`${CANARY}.txt`]: 'x',
    'token.txt': TOKENS.admin,
    'encoded.txt': Object.values(ENCODED).join('\n'),
    'key.pem': `${LINES.join('\n')}\n`,
    'json.txt': JSON.stringify(wrapped('\n')).slice(1, -1),
    'indented.txt': wrapped('\n    '),
  };
  const run = (command: string) => reply.call('run_command', { command });
  const calls = [
    run('cat known.txt token.txt'),
    run('cat shapes.txt'),
    run('ls'),
    reply.call('list_files', {}),
    reply.call('read_file', { path: 'known.txt' }),
    reply.call('grep_search', { pattern: 'kestrel' }),
    run(
      "sed 's/./&\\x1b[0m/8' known.txt; printf '%s' \"$(head -c 10 known.txt)\"; sleep 0.3; tail -c +11 known.txt",
    ),
    run('cat encoded.txt'),
    reply.call('write_file', { path: 'copy.txt', content: `${CANARY}\n` }),
    run('grep -n . key.pem; cat -n key.pem; diff /dev/null key.pem; sed -n 2p key.pem'),
    reply.call('grep_search', { pattern: 'MII|EFA' }),
    reply.call('read_file', { path: 'key.pem', offset: 2, limit: 1 }),
    run('cat json.txt'),
    run('cat indented.txt'),
  ];
  played = await service.play(calls, { workspace: { path: service.folder(files) } });
}, 300_000);
afterAll(() => service.close());

const secrets = () => [CANARY, LEDGER_KEY, made, ...Object.values(TOKENS)];
const expectNone = (text: string, of: readonly string[] = secrets()) => {
  for (const secret of of) expect(text.includes(secret) ? `shows ${secret}` : 'none').toBe('none');
};
const read = (path: string) => service.call(`GET ${path}`).then(({ text }) => text);
const ofGoal = (path: string) => read(`/v1/goals/${played.goalId}${path}`);

async function allOfGoal(): Promise<string> {
  const texts = await Promise.all(
    [
      '',
      '/ledger?limit=100',
      '/turns',
      '/timeline',
      '/calls',
      '/history',
      '/gate',
      '/diff',
      '/checkpoints',
    ].map(ofGoal),
  );
  const { items } = JSON.parse(texts[1] ?? '{}') as { items: { seq: number }[] };
  const outputs = await Promise.all(items.map(({ seq }) => ofGoal(`/ledger/${seq}/output`)));
  return [...texts, ...outputs].join('\n');
}

const asked = () => JSON.stringify(service.model.requests.map(({ messages }) => messages));

async function events(): Promise<string> {
  const leaving = new AbortController();
  const answer = await fetch(`${service.url}/v1/goals/${played.goalId}/events`, {
    headers: { authorization: `Bearer ${TOKENS.admin}` },
    signal: leaving.signal,
  });
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    if (text.includes(': caught up')) break;
  }
  leaving.abort();
  return text;
}

playClass('secret', MODE, {
  'KEY-1': async () => {
    const logs = readdirSync(service.home).filter((name) => name.endsWith('.log'));
    expect(logs.length).toBeGreaterThan(2);
    for (const name of logs) expectNone(readFileSync(join(service.home, name), 'utf8'));
    expectNone(service.printed());
    return logs.length + 1;
  },
  'KEY-2': async () => {
    expect(statSync(service.home).mode & 0o077).toBe(0);
    const names = readdirSync(service.home).filter((name) =>
      /token|key$|\.key|password|\.pem|run\.json/.test(name),
    );
    for (const name of names)
      expect([name, statSync(join(service.home, name)).mode & 0o077]).toEqual([name, 0]);
    return names.length + 1;
  },
  'KEY-3': async () => {
    const lines = execFileSync('ps', ['-eww', '-o', 'args']).toString();
    expectNone(lines);
    expectNone(lines, [ensurePassword(service.home)]);
    return 1;
  },
  'KEY-4': async () => {
    const port = readFileSync(join(databaseFolder(service.home), 'postmaster.pid'), 'utf8').split(
      '\n',
    )[3];
    const owner = postgres(
      `postgresql://goalkeeper:${ensurePassword(service.home)}@127.0.0.1:${port}/goalkeeper`,
      { max: 1, onnotice: () => {} },
    );
    const tables = await owner<
      { name: string }[]
    >`SELECT tablename AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
    for (const { name } of tables) {
      const rows = await owner.unsafe(`SELECT t::text AS row FROM "${name}" t`);
      expectNone(rows.map(({ row }) => `${name}: ${row}`).join('\n'));
    }
    await owner.end({ timeout: 1 });
    return tables.length;
  },
  'KEY-5': async () => {
    expect(played.results[0]).toContain('[masked]');
    expectNone(asked());
    return 1;
  },
  'KEY-6': async () => {
    expectNone(await allOfGoal());
    expectNone(await events());
    return 2;
  },
  'KEY-7': async () => {
    expectNone((await allOfGoal()) + asked(), [GITHUB, AWS]);
    return 2;
  },
  'KEY-8': async () => {
    const { reversed: _, url: __, ...byPrograms } = ENCODED;
    expectNone((await allOfGoal()) + asked(), Object.values(byPrograms));
    return Object.keys(byPrograms).length;
  },
  'KEY-17': async () => {
    expectNone((await allOfGoal()) + asked(), [ENCODED.reversed, ENCODED.url]);
    expectNone((played.results[6] ?? '').split(COLOUR).join(''), [CANARY]);
    return 3;
  },
  'KEY-9': async () => {
    const { body } = await service.call('POST /v1/goals', {
      body: plainGoal({ name: 'shop' }, { objective: `nobody: use ${CANARY}` }),
    });
    await service.call(`POST /v1/goals/${body.goalId}/messages`, {
      body: { text: `and ${GITHUB}` },
    });
    expectNone(await read(`/v1/goals/${body.goalId}`), [CANARY, GITHUB]);
    expectNone(await read('/v1/goals'), [CANARY]);
    expectNone(asked(), [CANARY, GITHUB]);
    return 3;
  },
  'KEY-10': async () => {
    expectNone(played.results[6] ?? '', [CANARY]);
    return 1;
  },
  'KEY-11': async () => {
    for (const body of [
      { objective: 1, token: CANARY },
      { [CANARY]: 1 },
      { objective: 'x', threadId: `${CANARY} !` },
    ]) {
      const { text, status } = await service.call('POST /v1/goals', { body });
      expect(status).toBeGreaterThanOrEqual(400);
      expectNone(text, [CANARY]);
    }
    return 3;
  },
  'KEY-12': async () => {
    const calls = [
      reply.call('write_file', { path: 'answer.txt', content: `${CANARY}\n` }),
      reply.call('run_command', { command: 'cat answer.txt' }),
      reply.call('attempt_completion', { result: `Done with ${CANARY}.` }),
    ];
    const { goalId, goal } = await service.play(calls, {
      criteria: [{ kind: 'command', command: 'test -f answer.txt' }],
      scope: { change: ['answer.txt'] },
    });
    expect(goal.status).toBe('complete');
    expectNone(await read(`/v1/goals/${goalId}/proof`));
    return 1;
  },
  'KEY-13': async () => {
    const near = `${TOKENS.admin}-mistyped`;
    await service.call('POST /v1/session', {
      as: null,
      body: { token: near },
      headers: { origin: service.url },
    });
    await service.call('GET /v1/goals', { as: near });
    const log = await read('/v1/security-log');
    expectNone(log, [near, TOKENS.admin]);
    return 2;
  },
  'KEY-14': async () => {
    for (const path of [
      '/openapi.json',
      '/readyz',
      '/healthz',
      '/v1/session',
      '/v1/models',
      '/v1/workers',
      '/v1/providers',
      '/v1/tokens',
      '/v1/proof-key',
    ]) {
      const { text, headers } = await service.call(`GET ${path}`);
      expectNone(text + JSON.stringify([...headers]));
      expect(text).not.toContain('PRIVATE KEY');
    }
    return 9;
  },
  'KEY-16': async () => {
    const names = readdirSync(service.home).filter((name) => name.startsWith('temporal.db'));
    for (const name of names)
      expect([name, statSync(join(service.home, name)).mode & 0o077]).toEqual([name, 0]);
    return names.length;
  },
  'KEY-15': async () => {
    expectNone([played.results[2], played.results[3], played.results[5]].join('\n'), [CANARY]);
    return 3;
  },
  'KEY-18': async () => {
    const shown = played.results.slice(9, 12);
    expect(shown.join('\n').match(/\[masked\]/g)?.length).toBeGreaterThan(7);
    expectNone(shown.join('\n'), LINES);
    return 6;
  },
  'KEY-19': async () => {
    for (const token of [made, TOKENS.operator]) {
      for (const path of ['tokens', 'sessions', 'goals'])
        await service.call(`DELETE /v1/${path}/${token}`, { as: TOKENS.agent });
    }
    expectNone(await read('/v1/security-log?limit=100'));
    return 6;
  },
  'KEY-20': async () => {
    const body = plainGoal({ name: 'shop' });
    const tries = [
      service.call('POST /v1/goals', { body: { ...body, threadId: TOKENS.operator } }),
      service.call(`PUT /v1/threads/${TOKENS.operator}/goal`, { body }),
      service.call('POST /v1/goals', { body, headers: { 'idempotency-key': TOKENS.operator } }),
    ];
    for (const { status } of await Promise.all(tries)) expect(status).toBe(400);
    return tries.length;
  },
  'KEY-21': async () => {
    const shown = played.results.slice(12, 14);
    for (const text of shown) expect(text).toContain('[masked]');
    expectNone(shown.map(unwrapped).join('\n'), [CANARY]);
    return 2;
  },
});
