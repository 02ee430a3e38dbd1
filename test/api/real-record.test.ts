import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goalSchema } from '../../schema/goal.ts';
import { loadConfig } from '../../src/app/config.ts';
import { type RunningApi, standaloneOptions, startApi } from '../../src/app/run-api.ts';
import { freshDatabase, type TestDatabase, temporalAddress } from '../support/servers.ts';
import type { Called } from './calls.ts';

let database: TestDatabase;
let api: RunningApi;
const token = 'operator-token-of-the-test';

beforeAll(async () => {
  database = await freshDatabase();
  const config = loadConfig({
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporalAddress(),
    GOALKEEPER_HOME: mkdtempSync(join(tmpdir(), 'goalkeeper-home-')),
    GOALKEEPER_PORT: '0',
    GOALKEEPER_TOKENS: `operator:${token}`,
    GOALKEEPER_MODEL: 'openai/gpt-5.1',
    OPENAI_API_KEY: 'unused',
  });
  api = await startApi(standaloneOptions(config, pino({ level: 'silent' })));
});

afterAll(async () => {
  await api.close();
  await database.drop();
});

async function call(
  method: string,
  path: string,
  body?: object,
  key?: string,
): Promise<Omit<Called, 'headers'>> {
  const answer = await fetch(api.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const goalIn = (threadId: string) => ({
  objective: 'Make the tests pass',
  threadId,
  criteria: [{ kind: 'command', command: 'npm test' }],
  workspace: { path: mkdtempSync(join(tmpdir(), 'goalkeeper-shop-')) },
});

describe('the API over the real record', () => {
  it('is ready', async () => {
    expect((await call('GET', '/readyz')).body.checks).toEqual({ postgres: 'ok', temporal: 'ok' });
  });

  it('keeps a started goal and shows it everywhere', async () => {
    const { status, body } = await call('POST', '/v1/goals', goalIn('t-shown'));
    expect(status).toBe(201);
    expect(() => goalSchema.parse(body)).not.toThrow();
    const { goalId } = body;
    expect((await call('GET', `/v1/goals/${goalId.slice(0, 12)}`)).body.goalId).toBe(goalId);
    expect((await call('GET', '/v1/threads/t-shown/goal')).body.goalId).toBe(goalId);
    const listed = await call('GET', '/v1/goals?status=active&q=tests');
    expect(listed.body.items.map((goal: { goalId: string }) => goal.goalId)).toContain(goalId);
    for (const path of ['ledger', 'ledger/verify', 'plan']) {
      expect((await call('GET', `/v1/goals/${goalId}/${path}`)).status).toBe(200);
    }
    for (const part of ['todos', 'gate', 'turns', 'usage', 'question']) {
      expect([part, (await call('GET', `/v1/goals/${goalId}/${part}`)).status]).toEqual([
        part,
        200,
      ]);
    }
    for (const path of ['/v1/approvals', '/v1/workspaces', '/v1/workers', '/v1/models']) {
      expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
    }
  });

  it('answers a retry with the first goal and refuses a second goal of the thread (M24)', async () => {
    const body = goalIn('t-once');
    const first = await call('POST', '/v1/goals', body, 'once');
    const retry = await call('POST', '/v1/goals', body, 'once');
    expect([retry.status, retry.body.goalId]).toEqual([201, first.body.goalId]);
    const other = await call('POST', '/v1/goals', { ...body, objective: 'Other' }, 'once');
    expect(other.body).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
    const second = await call('POST', '/v1/goals', { ...body, expectedGoalId: null });
    expect(second.body).toMatchObject({
      status: 409,
      code: 'goal_conflict',
      actualGoalId: first.body.goalId,
    });
  });

  it('replaces with the matching id only (M1, M24)', async () => {
    const body = goalIn('t-replaced');
    const first = (await call('POST', '/v1/goals', body)).body.goalId;
    const wrong = await call('PUT', '/v1/threads/t-replaced/goal', {
      objective: 'x',
      workspace: body.workspace,
      replace: true,
      expectedGoalId: 'g-0',
    });
    expect(wrong.body).toMatchObject({ code: 'goal_conflict', actualGoalId: first });
    const right = await call('PUT', '/v1/threads/t-replaced/goal', {
      objective: 'x',
      workspace: body.workspace,
      replace: true,
      expectedGoalId: first,
    });
    expect(right.status).toBe(201);
    expect((await call('GET', `/v1/goals/${first}`)).body.archivedAt).toBeDefined();
  });
});
