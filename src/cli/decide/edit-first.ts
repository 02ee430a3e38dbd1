import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Approval } from '../../../schema/approval.ts';
import type { Criterion } from '../../../schema/criteria.ts';
import type { Goal } from '../../../schema/goal.ts';
import { ApiProblem, type Client } from '../client.ts';
import { UsageError } from '../exit-code.ts';
import { failureOf } from '../failure.ts';

/** What a person needs to change a proposal by their own editor. */
interface Editing {
  readonly client: Client;
  /** Gives the terminal to another program until that ends. */
  readonly lend: (program: () => Promise<unknown>) => Promise<unknown>;
  /** Files with what was typed and not accepted, by the id of the approval. */
  readonly kept: Map<string, string>;
}

/** A proposed criterion, as the list that `--criteria-file` takes. */
export interface Proposal extends Pick<Approval, 'goalId' | 'approvalId'> {
  readonly criterion: Criterion;
}

/** Null where the approval is about something else. */
export function proposalOf({ kind, data, goalId, approvalId }: Approval): Proposal | null {
  if (kind !== 'criterion') return null;
  const { criterion } = data as { readonly criterion?: Criterion };
  return criterion === undefined ? null : { goalId, approvalId, criterion };
}

/**
 * Opens the proposal in the person's editor, and accepts what is saved in its place. What was typed
 * outlives every refusal.
 * @returns what was done
 * @throws UsageError with the file that keeps it, and the way out
 */
export async function editFirst(editing: Editing, proposal: Proposal): Promise<string> {
  const { client, lend, kept } = editing;
  const { goalId, approvalId, criterion } = proposal;
  const editor = editorIn(process.env);
  const before = await client.get<Goal>(`/v1/goals/${goalId}`);
  const file = kept.get(approvalId) ?? (await fileOf(criterion));
  // Until something is accepted, or nothing was typed.
  kept.set(approvalId, file);
  try {
    const opened = await versionOf(file);
    await lend(() => ended(editor, file));
    if ((await versionOf(file)) === opened) throw new Unsaved(editor);
    const edited = await editedIn(file);
    const body = isDeepStrictEqual(edited, criterion) ? {} : { criteria: [edited] };
    await accept(client, proposal, before, body);
    await forget(kept, approvalId, file);
    return 'criteria' in body ? 'accepted as you edited it' : 'accepted as it was proposed';
  } catch (error) {
    const { what, wayOut } = failureOf(error);
    if ((await isUntouched(file, criterion)) || error instanceof Emptied) {
      await forget(kept, approvalId, file);
      throw new UsageError(`Not accepted. ${what}`, wayOut);
    }
    const later = `goalkeeper approve ${goalId} ${approvalId} --criteria-file ${file}`;
    throw new UsageError(
      `Not accepted. ${what}`,
      `${wayOut} What you typed is kept: e opens it again, or ${later}`,
    );
  }
}

/** @throws UsageError where none is named */
function editorIn({ VISUAL, EDITOR }: NodeJS.ProcessEnv): string {
  const editor = VISUAL?.trim() || EDITOR?.trim();
  if (editor) return editor;
  throw new UsageError(
    'No editor is named.',
    'Set VISUAL or EDITOR, or "goalkeeper approve GOAL --criterion COMMAND" accepts yours.',
  );
}

/** Nobody else reads the folder. */
async function fileOf(criterion: Criterion): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'goalkeeper-criterion-')), 'criterion.json');
  await writeFile(file, textOf(criterion), { mode: 0o600 });
  return file;
}

const textOf = (criterion: Criterion): string => `${JSON.stringify([criterion], null, 2)}\n`;

/** An editor is a command line, as git takes it. */
async function ended(editor: string, file: string): Promise<void> {
  const child = spawn('sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' });
  const [code, signal] = await once(child, 'close');
  if (code === 0) return;
  throw new UsageError(
    `${editor} ended with ${signal ?? code}.`,
    'Save the file and leave the editor, or set VISUAL or EDITOR to another one.',
  );
}

/** @throws an error with the place in it where it is no criterion */
async function editedIn(file: string): Promise<Criterion> {
  const text = await readFile(file, 'utf8').catch(() => '');
  if (text.trim() === '') throw new Emptied();
  const { criteriaOfFile } = await import('../../app/repository-file.ts');
  const [only, ...others] = await criteriaOfFile(file);
  if (only !== undefined && others.length === 0) return only;
  throw new UsageError(
    'One criterion takes the place of the proposed one.',
    'Leave one in the list.',
  );
}

class Emptied extends UsageError {
  constructor() {
    super('The file is empty.', 'e opens the proposal again, d declines it.');
  }
}

/** What nobody saved nobody accepted: an editor may also go on by itself, in a window of its own. */
class Unsaved extends UsageError {
  constructor(editor: string) {
    super(
      `${editor} ended and saved nothing.`,
      'y accepts it as proposed. An editor with a window needs its flag to wait, as in "code --wait".',
    );
  }
}

/** Other editors write a new file in the place of the old one. */
const versionOf = async (file: string): Promise<string> => {
  const found = await stat(file, { bigint: true }).catch(() => null);
  return `${found?.ino} ${found?.mtimeNs}`;
};

const TRIES = 5;

/**
 * A goal at work changes all the time; only another objective or other criteria are a conflict.
 * @throws UsageError where the goal asks for something else than when the editor was opened
 */
async function accept(
  client: Client,
  { goalId, approvalId }: Proposal,
  before: Goal,
  body: object,
): Promise<void> {
  const path = `/v1/goals/${goalId}/approvals/${encodeURIComponent(approvalId)}`;
  for (let tries = 1; ; tries += 1) {
    const now = await client.get<Goal>(`/v1/goals/${goalId}`);
    if (!isDeepStrictEqual(asked(before), asked(now)))
      throw new UsageError(
        'Somebody changed the objective or the criteria of the goal meanwhile.',
        `Look at it with "goalkeeper show ${goalId}".`,
      );
    const fenced = { decision: 'approve', ...body, expectedRevision: now.revision };
    try {
      await client.send<unknown>('POST', path, fenced);
      return;
    } catch (error) {
      const isBehind = error instanceof ApiProblem && error.problem.code === 'goal_conflict';
      if (!isBehind || tries === TRIES) throw error;
    }
  }
}

const asked = ({ objective, criteria }: Goal) => [objective, criteria.map(({ spec }) => spec)];

const isUntouched = async (file: string, criterion: Criterion): Promise<boolean> =>
  (await readFile(file, 'utf8').catch(() => null)) === textOf(criterion);

async function forget(kept: Map<string, string>, approvalId: string, file: string): Promise<void> {
  kept.delete(approvalId);
  await rm(dirname(file), { recursive: true, force: true });
}
