import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http2';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as restate from '@restatedev/restate-sdk';
import * as clients from '@restatedev/restate-sdk-clients';

const [INGRESS, ADMIN, NODE] = [18_080, 19_070, 15_122];

/** It keeps a log and a store of its own, and no database. */
export async function open(_databaseUrl, { begin, step }) {
  const loop = restate.service({
    name: 'loop',
    handlers: {
      async run(context, { turns, id }) {
        for (let turn = 0; turn < turns; turn += 1) {
          begin(id);
          for (const name of ['one', 'two', 'three']) await context.run(name, step);
        }
        begin(id);
      },
    },
  });
  const endpoint = createServer(restate.createEndpointHandler({ services: [loop] }));
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'peers-restate-'));
  const server = spawn(serverProgram(), ['--base-dir', folder, '--node-name', 'peers'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${ADMIN}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${INGRESS}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${NODE}`,
      RESTATE_DISABLE_TELEMETRY: 'true',
    },
  });
  await registered(`http://127.0.0.1:${endpoint.address().port}`);
  const client = clients.connect({ url: `http://127.0.0.1:${INGRESS}` });
  return {
    loop: (turns, id) => client.serviceClient(loop).run({ turns, id }),
    async close() {
      server.kill('SIGTERM');
      await once(server, 'exit');
      endpoint.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serverProgram() {
  const require = createRequire(import.meta.url);
  const own = createRequire(require.resolve('@restatedev/restate-server/package.json'));
  const manifest = `@restatedev/restate-server-${process.platform}-${process.arch}/package.json`;
  return join(own.resolve(manifest), '..', 'bin', 'restate-server');
}

async function registered(uri) {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await fetch(`http://127.0.0.1:${ADMIN}/deployments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ uri }),
      });
      if (answer.ok) return;
      throw new Error(`${answer.status}: ${await answer.text()}`);
    } catch (error) {
      if (tries > 150) throw error;
      await delay(200);
    }
  }
}
