import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatRequest, reply, type Script } from '../../demo/script.ts';
import { upload } from '../support/attach.ts';
import { compiled } from '../support/compiled.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { jpeg, png } from '../support/images.ts';
import { waitUntil } from './helpers.ts';

const said = ({ messages }: ChatRequest) =>
  messages.filter(({ role }) => role === 'assistant').length;

let hangs = true;
/** Looks at an image of the workspace, then hangs until its worker is another one. */
const script: Script = (request) => {
  if (said(request) === 0) return reply.call('read_file', { path: 'shot.jpg' });
  if (hangs) return { text: 'I look at both', hang: 'after_text' };
  return reply.call('ask_user', { question: 'Which one?' });
};

let world: GoalWorld;
let worker: ChildProcess;
const startWorker = (): ChildProcess =>
  spawn(process.execPath, [compiled('src/cli/main.ts'), 'worker'], {
    env: { ...process.env, ...world.environment },
    stdio: 'ignore',
  });

beforeAll(async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'goalkeeper-prices-')), 'prices.json');
  const model = { inputPerMTok: '1', outputPerMTok: '10', images: true };
  await writeFile(file, JSON.stringify({ models: { 'compatible/scripted': model } }));
  world = await openGoalWorld({ script, worker: false, environment: { GOALKEEPER_PRICES: file } });
  worker = startWorker();
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await world?.close();
});

test('ATT-13 a turn that another worker goes on with sends the same images, byte for byte', async () => {
  const [chart, shot] = [png(300, 200, 5), jpeg(64, 64)];
  const { attachmentId } = await upload(world, 'chart.png', chart);
  const path = await world.workspace({});
  await writeFile(join(path, 'shot.jpg'), shot);
  const { goalId } = await world.start({
    objective: 'Compare them',
    criteria: [],
    workspace: { path },
    attachments: [attachmentId],
  });
  const seconds = () => world.model.requests.filter((request) => said(request) === 1);
  await waitUntil(() => seconds().length > 0, 120_000);
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
  hangs = false;
  // What the file is by now says nothing of what the call has read.
  await writeFile(join(path, 'shot.jpg'), 'changed');
  worker = startWorker();
  await world.until(goalId, ({ pause }) => pause?.reason === 'question');
  const imagesOf = (request: ChatRequest | undefined) =>
    (request?.messages ?? []).flatMap(({ images = [] }) =>
      images.map(({ mediaType, base64 }) => [mediaType, Buffer.from(base64, 'base64')]),
    );
  const both = [
    ['image/png', chart],
    ['image/jpeg', shot],
  ];
  expect(seconds().length).toBeGreaterThan(1);
  for (const request of seconds()) expect(imagesOf(request)).toEqual(both);
});
