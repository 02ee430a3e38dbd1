import { chmodSync, chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import { liveScript } from '../api/live-script.ts';
import { freshNamespace } from '../support/namespaces.ts';
import { describeWith, ROOT } from '../support/needs.ts';
import { emptyDatabase, type TestDatabase, temporalAddress } from '../support/servers.ts';
import { type Running, start } from './command-line.ts';

let database: TestDatabase;
let model: ScriptedModel;
let environment: Record<string, string>;
let up: Running;

const folder = (): string => mkdtempSync(join(tmpdir(), 'goalkeeper-without-'));

beforeAll(async () => {
  database = await emptyDatabase();
  model = await startScriptedModel({ script: liveScript });
  environment = {
    GOALKEEPER_HOME: folder(),
    GOALKEEPER_PORT: '0',
    GOALKEEPER_SANDBOX: 'off',
    GOALKEEPER_WORKFLOW_BUNDLE: process.env.GOALKEEPER_WORKFLOW_BUNDLE ?? '',
    GOALKEEPER_MODEL: 'compatible/scripted',
    OPENAI_COMPATIBLE_BASE_URL: model.url,
    OPENAI_COMPATIBLE_API_KEY: 'none-needed',
    DATABASE_URL: database.url,
    OWNER_DATABASE_URL: database.ownerUrl,
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: await freshNamespace(),
  };
  up = start(['up'], environment);
  await up.untilErr('documentation at');
});

afterAll(async () => {
  up.interrupt();
  await up.done;
  await model.close();
  await database.drop();
});

const goalkeeper = (...args: string[]) => start(args, environment).done;

describeWith(ROOT, 'goalkeeper of root’s without a sandbox', () => {
  test('BOX-16 doctor says that they are refused in a folder of root’s', async () => {
    const { out } = await goalkeeper('doctor');
    expect(out).toMatch(
      /user .*commands run as the owner of the workspace.*\nok +sandbox .*of root’s commands are refused/,
    );
  });

  test('BOX-16 run is refused there with both ways out, and warns where it is not', async () => {
    const [closed, open] = [folder(), folder()];
    await expect
      .poll(async () => (await goalkeeper('run', 'writes: go', '--workspace', closed)).err)
      .toMatch(/No command can run there: .* belongs to root.*install bubblewrap.*chown -R/);
    chownSync(open, 65_534, 65_534);
    chmodSync(environment.GOALKEEPER_HOME ?? '', 0o711);
    const ran = await goalkeeper(
      'run',
      'writes: go',
      '--workspace',
      open,
      '--change',
      'answer.txt',
    );
    expect(ran.err).toContain('Commands run without a sandbox');
  });

  test('BOX-16 up says as whom commands run, and that checks can’t get to its home', async () => {
    up.interrupt();
    const { err } = await up.done;
    expect(err).toContain('Commands run without a sandbox, as the owner of their workspace');
    expect(err).toMatch(/only root gets to, so they can't run: .*GOALKEEPER_HOME/);
  });
});
