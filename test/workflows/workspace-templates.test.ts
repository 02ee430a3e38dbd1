import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Schedule } from '../../schema/schedule.ts';
import type { MadeToken } from '../../schema/token.ts';
import type { WorkspaceTemplates } from '../../schema/workspace-template.ts';
import { createClient } from '../../src/cli/client.ts';
import { startRepository } from '../support/git.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { problemOf } from './helpers.ts';

const FILE = `
scope: {change: ["src/**"]}
budget: {turns: 12}
templates:
  fix:
    about: a bug of the tracker
    parameters:
      issue: {about: its number}
      area: {default: core}
    objective: "Fix issue {{issue}} in {{area}}"
    criteria: [{kind: command, command: "npm test -- {{area}}"}]
`;

let world: GoalWorld;
let path: string;
let address: string;
beforeAll(async () => {
  world = await openGoalWorld({ script: sequence([reply.text('?')]) });
  path = await world.workspace({ 'goalkeeper.yaml': FILE });
  startRepository(path);
  await world.start({ objective: 'look', mode: 'gather', criteria: [], workspace: { path } });
  const { items } = await world.client.get<{ items: { name: string; path: string }[] }>(
    '/v1/workspaces',
  );
  address = `/v1/workspaces/${items.find((one) => one.path === path)?.name}/templates`;
});
afterAll(() => world.close());

const fill = (values: object, name = 'fix') =>
  world.client.send<{ start: object }>('POST', `${address}/${name}`, { values });

describe("SCHED-20 templates of a workspace's file", () => {
  test('are listed with their parameters, and whether they are as committed', async () => {
    const found = await world.client.get<WorkspaceTemplates>(address);
    const objective = 'Fix issue {{issue}} in {{area}}';
    const parameters = [
      { name: 'issue', about: 'its number' },
      { name: 'area', default: 'core' },
    ];
    const fix = { name: 'fix', about: 'a bug of the tracker', objective, parameters };
    expect(found).toEqual({ file: 'goalkeeper.yaml', isCommitted: true, items: [fix] });
    await appendFile(join(path, 'goalkeeper.yaml'), '# changed\n');
    expect((await world.client.get<WorkspaceTemplates>(address)).isCommitted).toBe(false);
  });

  test('become a start that a schedule takes as it is, whose work leaves the file alone', async () => {
    const { start } = await fill({ issue: '7' });
    expect(start).toMatchObject({
      ...{ objective: 'Fix issue 7 in core', budget: { turns: 12 } },
      criteria: [{ kind: 'command', command: 'npm test -- core' }],
      scope: { change: ['src/**'], keep: ['goalkeeper.yaml'] },
    });
    const asked = { name: 'fixes', when: { everySeconds: 86_400 }, start };
    const made = await world.client.send<Schedule>('POST', '/v1/schedules', asked);
    expect(made.start).toEqual(start);
  });

  test.each([
    ['a parameter without a value', {}, 'fix', { field: 'values.issue' }],
    ['a parameter that it has not', { issue: '7', no: 'x' }, 'fix', { field: 'template' }],
    ['a value that ends a command', { issue: '7', area: 'a; rm b' }, 'fix', { field: 'template' }],
    ['a template that is not there', {}, 'no', { code: 'not_found' }],
  ])('are refused with %s', async (_, values, name, problem) => {
    expect(await problemOf(fill(values, name))).toMatchObject(problem);
  });

  test('exist for nobody who may not see the workspace, and are of a file that can be read', async () => {
    const made = await world.client.send<MadeToken>('POST', '/v1/tokens', {
      ...{ name: 'elsewhere', role: 'operator', workspaces: ['other'] },
    });
    const stranger = createClient({ url: world.url, token: made.token });
    expect(await problemOf(stranger.get(address))).toMatchObject({ code: 'not_found' });
    await writeFile(join(path, 'goalkeeper.yaml'), 'budget: {turns: -1}');
    expect(await problemOf(world.client.get(address))).toMatchObject({
      ...{ field: 'template', detail: expect.stringContaining('budget.turns') },
    });
    await rm(join(path, 'goalkeeper.yaml'));
    expect(await world.client.get(address)).toMatchObject({ file: null, items: [] });
  });
});
