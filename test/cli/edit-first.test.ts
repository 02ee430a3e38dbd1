import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Approval } from '../../schema/approval.ts';
import { editFirst, proposalOf } from '../../src/cli/decide/edit-first.ts';
import { TOKENS } from '../support/goal-world.ts';
import { openApprovalWorld } from '../workflows/approval-world.ts';
import { start } from './command-line.ts';

const proposed = { kind: 'command', command: 'test -f proof.txt' } as const;
const scripts = {
  proposes: sequence([
    reply.call('propose_criterion', proposed),
    reply.call('ask_user', { question: 'Shall I go on?' }),
  ]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
let folder: string;
const { VISUAL, EDITOR } = process.env;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
  folder = await mkdtemp(join(tmpdir(), 'edit-first-'));
});
afterAll(async () => {
  for (const [name, value] of Object.entries({ VISUAL, EDITOR }))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  await rm(folder, { recursive: true, force: true });
  await the.world.close();
});
beforeEach(() => {
  delete process.env.VISUAL;
  delete process.env.EDITOR;
});

/** An editor that does this to the file, whose path is `$1`. */
async function editorThat(does: string): Promise<void> {
  const editor = join(folder, 'my editor');
  await writeFile(editor, `#!/bin/sh\n${does}\n`);
  await chmod(editor, 0o755);
  process.env.EDITOR = `"${editor}"`;
}

const SAVES_MINE = `sed -i 's/-f proof/-s proof/' "$1"`;
const mine = { ...proposed, command: 'test -s proof.txt' };

/** A goal that proposes a criterion, and one person who decides about it. */
async function proposing() {
  const { goalId } = await the.open('proposes', { criteria: [] });
  await the.world.until(goalId, ({ status }) => status === 'paused');
  const approval = await the.asked(goalId);
  const proposal = proposalOf(approval as Approval);
  if (proposal === null) throw new Error('it proposes nothing');
  const kept = new Map<string, string>();
  const { client } = the.world;
  const edits = () => editFirst({ client, kept, lend: (program) => program() }, proposal);
  const found = async () =>
    (await the.approvals(goalId, 'all')).find((one) => one.approvalId === approval.approvalId);
  /** Why it was not accepted, and the file that keeps what was typed. */
  const refused = async () => {
    const error = await edits().then(
      () => null,
      (one: Error & { wayOut: string }) => one,
    );
    if (error === null) throw new Error('it was accepted');
    return { why: `${error.message} ${error.wayOut}`, file: kept.get(proposal.approvalId) ?? null };
  };
  return { goalId, approvalId: approval.approvalId, edits, found, refused, kept };
}

test('TERM-101 a proposed criterion is accepted as the person saves it in their editor; saved as it was, it is accepted as proposed', async () => {
  const one = await proposing();
  await editorThat(SAVES_MINE);
  expect(await one.edits()).toBe('accepted as you edited it');
  expect(await one.found()).toMatchObject({ state: 'approved', accepted: mine });
  expect((await the.world.get(one.goalId)).criteria).toMatchObject([{ spec: mine }]);
  const other = await proposing();
  await editorThat('touch "$1"');
  expect(await other.edits()).toBe('accepted as it was proposed');
  const found = await other.found();
  expect([found?.state, found?.accepted]).toEqual(['approved', undefined]);
  expect([one.kept.size, other.kept.size]).toEqual([0, 0]);
});

test.each([
  ['no editor is named', null, 'Set VISUAL or EDITOR', false],
  ['nothing was saved, as where an editor goes on by itself', 'true', 'saved nothing', false],
  ['the editor fails', `${SAVES_MINE}; exit 3`, 'ended with 3', true],
  ['the file is emptied', ': > "$1"', 'is empty', false],
  ['what was saved is no JSON', 'echo "[{" > "$1"', 'is no JSON at line', true],
  ['it is no criterion', `echo '[{"kind":"wish"}]' > "$1"`, 'docs/criteria.md', true],
  ['there are two', `echo '[${JSON.stringify(mine)},${JSON.stringify(mine)}]' > "$1"`, 'One', true],
  ['the service refuses it', `sed -i 's/test -f/true || test -f/' "$1"`, 'criteria.0', true],
])(
  'TERM-102 nothing is decided where %s: it is told with the way out',
  async (_, does, told, keeps) => {
    const { found, refused, edits } = await proposing();
    if (does !== null) await editorThat(does);
    const { why, file } = await refused();
    expect(why).toContain(told);
    expect((await found())?.state).toBe('open');
    expect(file !== null).toBe(keeps);
    if (file === null) return;
    expect(why).toContain(file);
    // It is opened again as it was typed.
    const typed = await readFile(file, 'utf8');
    await editorThat(`cp "$1" ${folder}/seen; echo '[${JSON.stringify(mine)}]' > "$1"`);
    expect(await edits()).toBe('accepted as you edited it');
    expect(await readFile(join(folder, 'seen'), 'utf8')).toBe(typed);
  },
);

test('TERM-103 where somebody decided, or asked for something else meanwhile, what was typed is kept, and a command accepts it', async () => {
  const decided = await proposing();
  const other = join(folder, 'decide');
  const address = `${the.world.url}/v1/goals/${decided.goalId}`;
  const say = (method: string, path: string, body: object) =>
    `fetch("${address}${path}", { method: "${method}", headers: { authorization: "Bearer ${TOKENS.operator}", "content-type": "application/json" }, body: JSON.stringify(${JSON.stringify(body)}) })`;
  await writeFile(
    other,
    say('POST', `/approvals/${decided.approvalId}`, { decision: 'deny', note: 'No.' }),
  );
  await editorThat(`${SAVES_MINE}; "${process.execPath}" ${other}`);
  const first = await decided.refused();
  expect(first.why).toContain('was answered before');
  expect(await readFile(first.file ?? '', 'utf8')).toContain('test -s proof.txt');
  expect(await decided.found()).toMatchObject({ state: 'denied' });
  await rm(join(first.file ?? '', '..'), { recursive: true });

  const changed = await proposing();
  await writeFile(
    other,
    say('PATCH', '', { objective: 'proposes: go elsewhere' }).replaceAll(
      decided.goalId,
      changed.goalId,
    ),
  );
  const { why, file } = await changed.refused();
  expect(why).toContain('changed the objective or the criteria');
  expect((await changed.found())?.state).toBe('open');
  const asked = ['approve', changed.goalId, changed.approvalId, '--criteria-file', file ?? ''];
  expect(why).toContain(`goalkeeper ${asked.join(' ')}`);
  const environment = { GOALKEEPER_URL: the.world.url, GOALKEEPER_TOKEN: TOKENS.operator };
  expect((await start(asked, environment).done).exitCode).toBe(0);
  expect(await changed.found()).toMatchObject({ state: 'approved', accepted: mine });
});
