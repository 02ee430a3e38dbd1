import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { reply } from '../../demo/script.ts';
import { startScriptedModel } from '../../demo/scripted-server.ts';

let child: ChildProcess | undefined;
const folder = mkdtempSync(join(tmpdir(), 'script-'));
afterAll(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const ask = (url: string, body: object) =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...body }),
  });

test('it answers without streaming too, and lists its model', async () => {
  const server = await startScriptedModel({ script: () => reply.call('read_file', { path: 'a' }) });
  try {
    const whole = (await (await ask(server.url, {})).json()) as {
      choices: { message: { tool_calls: { function: object }[] }; finish_reason: string }[];
    };
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'read_file', arguments: '{"path":"a"}' } }] },
    });
    const models = await (await fetch(`${server.url}/models`)).json();
    expect(models).toMatchObject({ data: [{ id: 'scripted' }] });
  } finally {
    await server.close();
  }
});

test('a script that throws is a 500 of that request alone', async () => {
  const server = await startScriptedModel({
    script: ({ seenBefore }) => {
      if (seenBefore === 0) throw new Error('broken script');
      return reply.text('fine');
    },
  });
  try {
    expect((await ask(server.url, {})).status).toBe(500);
    expect((await ask(server.url, {})).status).toBe(200);
  } finally {
    await server.close();
  }
});

test('it runs as a process of its own and prints its address', async () => {
  const script = join(folder, 'script.mts');
  writeFileSync(script, "export const script = () => ({ text: 'from the file' });");
  child = spawn(
    process.execPath,
    ['--import', 'tsx', 'demo/scripted-server.ts', '--script', script],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [url] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  expect(await (await ask(String(url).trim(), { stream: true })).text()).toContain('from the file');
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
});
