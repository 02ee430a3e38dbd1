import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reachableAddresses } from '../../../src/net/proxy/judge.ts';
import { createProxy, type DomainProxy } from '../../../src/net/proxy/server.ts';
import { ATTEMPTS, HONEST } from './attempts.ts';
import {
  LIMITS,
  listening,
  NAMED,
  OWN_ADDRESS,
  openStage,
  play,
  rulesOf,
  type Stage,
  testResolver,
} from './stage.ts';

let stage: Stage;
let proxy: DomainProxy;
let port: number;

beforeAll(async () => {
  stage = await openStage();
  proxy = createProxy({
    domains: rulesOf(stage.ports),
    addresses: reachableAddresses([NAMED], [{ address: OWN_ADDRESS }]),
    limits: LIMITS,
    resolve: testResolver(),
  });
  port = await listening(proxy.server);
});
afterAll(() => {
  proxy.server.close();
  stage.close();
});

describe('PRX-1: what a command may not reach', () => {
  test.each(
    ATTEMPTS.map((attempt, index) => ({ ...attempt, title: `${index + 1}. ${attempt.name}` })),
  )('$title', async (attempt) => {
    stage.heard();
    const back = await play(port, stage.ports, attempt);
    expect(back).not.toContain('CANARY');
    expect(stage.heard()).not.toContain('LOOT');
  });
});

describe('PRX-2: what it may', () => {
  test.each([...HONEST])('$name', async (attempt) => {
    stage.heard();
    expect(await play(port, stage.ports, attempt)).toContain('answered');
    expect(stage.heard()).toContain('LOOT');
  });
});
