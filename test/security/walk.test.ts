import { afterAll, beforeAll, expect } from 'vitest';
import { type Mode, playClass } from './attempts.ts';
import { type Callers, openCallers } from './callers.ts';
import { documentedRoles, fill, type Operation, operationsOf } from './operations.ts';
import { openService, type Service, TOKENS } from './service.ts';

const MODE: Mode = { user: 'ordinary', sandbox: true };
const ROLES = ['viewer', 'agent', 'operator', 'admin'] as const;
/** Asked with bodies that the schema refuses would say nothing about who asks. */
const BODY = {
  ...{ objective: 'walks', criteria: [], text: 'x', note: 'x', decision: 'approve', turn: 1 },
};

let service: Service;
let callers: Callers;
let operations: Operation[];
beforeAll(async () => {
  service = await openService(MODE);
  callers = await openCallers(service);
  operations = await operationsOf(service);
  operations.push({ id: 'useMcp', method: 'POST', path: '/mcp', isOpen: false, isStream: false });
}, 300_000);
afterAll(() => service.close());

interface Way {
  readonly as: string | null;
  readonly ids?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask({ method, path }: Operation, { as, ids, headers = {} }: Way) {
  const withBody = !['GET', 'HEAD', 'DELETE'].includes(method);
  return service.call(`${method} ${fill(path, ids)}`, {
    as,
    headers: { accept: 'application/json, text/event-stream', ...headers },
    ...(withBody && { body: BODY }),
  });
}

/** @returns how many were asked */
async function each(
  chosen: readonly Operation[],
  way: (operation: Operation) => Way,
  allowed: readonly number[],
): Promise<number> {
  expect(chosen.length).toBeGreaterThan(0);
  const wrong: string[] = [];
  for (const operation of chosen) {
    const { status, text } = await ask(operation, way(operation));
    const name = `${operation.method} ${operation.path}`;
    if (!allowed.includes(status)) wrong.push(`${name}: ${status} ${text.slice(0, 200)}`);
  }
  expect(wrong).toEqual([]);
  return chosen.length;
}

const guarded = () => operations.filter(({ isOpen }) => !isOpen);
const ofGoals = () => guarded().filter(({ path }) => path.includes('{goalId}'));
const ofThreads = () => guarded().filter(({ path }) => path.includes('{threadId}'));

playClass('walk', MODE, {
  'WLK-1': () => each(guarded(), () => ({ as: null }), [401]),
  'WLK-2': () => each(guarded(), () => ({ as: callers.revoked }), [401, 429]),
  'WLK-3': async () => {
    const table = documentedRoles();
    const missing = guarded().filter(({ method, path }) => !table.has(`${method} ${path}`));
    expect(missing.map(({ path }) => path)).toEqual([]);
    let tried = 0;
    for (const role of ROLES) {
      const closed = guarded().filter(
        ({ method, path }) => table.get(`${method} ${path}`)?.has(role) === false,
      );
      if (closed.length > 0) tried += await each(closed, () => ({ as: TOKENS[role] }), [403]);
    }
    return tried;
  },
  'WLK-4': async () => {
    const { goalId } = callers;
    const mayAll =
      (role: string) =>
      ({ method, path }: Operation) =>
        documentedRoles().get(`${method} ${path}`)?.has(role) === true;
    const asOther = () => ({
      as: callers.otherAgent,
      ids: { goalId, threadId: 'thread-of-admin' },
    });
    const goals = await each(ofGoals().filter(mayAll('agent')), asOther, [404]);
    return goals + (await each(ofThreads().filter(mayAll('agent')), asOther, [400, 404, 409]));
  },
  'WLK-5': async () => {
    const { goalId } = callers;
    const ids = { goalId, threadId: 'thread-of-admin' };
    const asBounded = () => ({ as: callers.bounded, ids });
    const goals = await each(ofGoals(), asBounded, [404]);
    return goals + (await each(ofThreads(), asBounded, [400, 404, 409]));
  },
  'WLK-6': async () => {
    const table = documentedRoles();
    const closed = guarded().filter(
      ({ method, path }) => table.get(`${method} ${path}`)?.has('viewer') === false,
    );
    const headers = { 'goalkeeper-role': 'viewer' };
    return each(closed, () => ({ as: TOKENS.admin, headers }), [403]);
  },
  'WLK-7': async () => {
    const chosen = ofGoals().filter(({ method }) => method === 'GET');
    const same = (text: string) =>
      text.replaceAll(/g-[0-9a-f]{16}/g, 'ID').replaceAll(/req-\w+/g, '');
    for (const operation of chosen) {
      const hidden = await ask(operation, { as: callers.bounded, ids: { goalId: callers.goalId } });
      const absent = await ask(operation, { as: callers.bounded });
      expect([operation.path, same(hidden.text)]).toEqual([operation.path, same(absent.text)]);
    }
    return chosen.length;
  },
  'WLK-8': async () => {
    const paths = [
      '/v1',
      '/v1/',
      '/v1/goal',
      '/v2/goals',
      '/admin',
      '/metrics',
      '/debug',
      '/.git/config',
      '/.env',
      '/v1/goals/x/y/z',
      '/graphql',
      '/actuator',
      '/v1/users',
      '/internal',
    ];
    for (const path of paths) {
      const { status, headers, text } = await service.call(`GET ${path}`, { as: null });
      const isConsole = status === 200 && (headers.get('content-type') ?? '').includes('text/html');
      expect([path, isConsole || [401, 404].includes(status)]).toEqual([path, true]);
      expect(text).not.toContain(callers.goalId);
    }
    return paths.length;
  },
});
