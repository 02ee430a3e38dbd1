import { chmodSync, chownSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRunState } from '../../src/stack/run-file.ts';
import { liveScript } from '../api/live-script.ts';
import { freshNamespace } from '../support/namespaces.ts';
import { describeWith, ROOT } from '../support/needs.ts';
import { temporalAddress } from '../support/servers.ts';
import { freshFolder, openUp, type UpWorld } from './up-world.ts';

let world: UpWorld;

beforeAll(async () => {
  world = await openUp(liveScript, {
    GOALKEEPER_SANDBOX: 'off',
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: await freshNamespace(),
  });
});
afterAll(() => world.close());

const goalkeeper = (...args: string[]) => world.goalkeeper(...args);

describeWith(ROOT, 'goalkeeper of root’s without a sandbox', () => {
  test('BOX-16 doctor says that they are refused in a folder of root’s', async () => {
    const { out } = await goalkeeper('doctor');
    expect(out).toMatch(
      /user .*commands run as the owner of the workspace.*\nWARN +sandbox .*of root’s commands are refused/,
    );
  });

  test('BOX-16 run is refused there with both ways out, and warns where it is not', async () => {
    const [closed, open] = [freshFolder(), freshFolder()];
    await expect
      .poll(async () => (await goalkeeper('run', 'writes: go', '--workspace', closed)).err)
      .toMatch(/No command can run there: .* belongs to root.*install bubblewrap.*chown -R/);
    chownSync(open, 65_534, 65_534);
    chmodSync(world.environment.GOALKEEPER_HOME, 0o711);
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
    // What `up -d` repeats, since nobody reads the terminal of what runs in the background.
    expect(readRunState(world.environment.GOALKEEPER_HOME)?.warnings?.[0]).toContain(
      'Commands run without a sandbox',
    );
    world.up.interrupt();
    const { err } = await world.up.done;
    expect(err).toContain('Commands run without a sandbox, as the owner of their workspace');
    expect(err).toMatch(/only root gets to, so they can't run: .*GOALKEEPER_HOME/);
  });
});
