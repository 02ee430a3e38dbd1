import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { goalProofPredicateSchema, statementSchema } from '../../../schema/proof-bundle.ts';
import { payloadOfLine } from '../../attest/dsse.ts';
import { isBranchName } from '../../forge/branch-name.ts';
import type { Forge, NewPull, Pull } from '../../forge/forge.ts';
import { keepLocally } from '../../forge/keep.ts';
import { openForge } from '../../forge/open-forge.ts';
import { type Place, placeOfRemote } from '../../forge/place.ts';
import { provenCommit } from '../../forge/proven-commit.ts';
import { pullText } from '../../forge/pull-text.ts';
import { push } from '../../forge/push.ts';
import { ForgeRefused } from '../../forge/refused.ts';
import { printable } from '../../record/foreign-text.ts';
import { goalCommitMessage, goalTitle } from '../../record/goal-commit.ts';
import { FOREIGN, isOfOthers } from '../../workspace/git/own-repository.ts';
import { runGit } from '../../workspace/git/run-git.ts';
import { makeScratch, removeScratch } from '../../workspace/scratch.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { saysYes } from '../says-yes.ts';
import { type CommonOptions, findGoal, openSession, print } from '../session.ts';

interface PullOptions extends CommonOptions {
  readonly repo?: string;
  readonly remote?: string;
  readonly base?: string;
  readonly branch?: string;
  readonly title?: string;
  readonly draft?: boolean;
  readonly text?: boolean;
  readonly local?: boolean;
  readonly yes?: boolean;
}

/** Pushes what was proven as one commit, and opens the pull request that shows the proof. */
export async function pullRequest(prefix: string, options: PullOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { goalId, workspace } = await findGoal(session, prefix);
  const bundle = await session.client.text(`/v1/goals/${goalId}/proof`);
  const payload = payloadOfLine(bundle.split('\n')[0] ?? '');
  const digest = createHash('sha256').update(payload).digest('hex');
  const { predicate } = statementSchema.parse(JSON.parse(payload));
  const proven = goalProofPredicateSchema.parse(predicate);
  const title = options.title ?? goalTitle(proven.goal.objective);
  const text = pullText(proven, digest);
  if (options.text === true) {
    print(session, { goalId, title, text }, () => `${title}\n\n${text}`);
    return EXIT.complete;
  }
  // The goal's own branch is checked out in its worktree, with what nobody proved.
  const branch = options.branch ?? `${options.local === true ? 'proven' : 'goal'}/${goalId}`;
  const folder = resolve(options.repo ?? workspace.path);
  if (await isOfOthers(folder))
    throw new UsageError(`${folder} ${FOREIGN}.`, 'Name another checkout by --repo DIR.');
  for (const [flag, name] of [
    ['--branch', branch],
    ['--base', options.base],
  ] as const)
    if (name !== undefined && !(await isBranchName(folder, name))) {
      const shown = printable(name);
      throw new UsageError(`${flag} "${shown}" is no name of a branch.`, 'Name it as git does.');
    }
  const { level } = proven;
  const { objective } = proven.goal;
  const message = goalCommitMessage({ goalId, objective, level, digest, title });
  if (options.local === true) {
    const commit = await inScratch(async (scratch) => {
      const made = await provenCommit(
        { folder, scratch, environment: process.env },
        proven,
        message,
      );
      await keepLocally(made, scratch, process.env, { folder, branch });
      return made;
    });
    print(session, { goalId, branch, commit }, () => `${branch} is ${commit}`);
    return EXIT.complete;
  }
  const { remote, place } = await remoteOf(folder, options.remote ?? 'origin');
  const { forge, token } = openForge(place, process.env);
  const into = options.base ?? (await baseOf(forge, place, folder));
  if (into === branch)
    throw new UsageError('--branch and --base are one.', 'Name another --branch.');
  return await inScratch(async (scratch) => {
    const ground = { folder, scratch, environment: process.env };
    const commit = await provenCommit(ground, proven, message);
    await assertWanted(options, `Push ${commit.slice(0, 12)} to ${branch} at ${shown(place)}?`);
    await push(commit, scratch, process.env, { remote, place, branch, token });
    const pull = { title, text, branch, into, isDraft: options.draft === true };
    const { isNew, url, number } = await opened(forge, place, pull);
    print(
      session,
      { goalId, url, number, branch, into, commit, isNew },
      () => `${isNew ? 'opened' : 'its text is new'}: ${url}`,
    );
    return EXIT.complete;
  });
}

async function inScratch<Result>(use: (scratch: string) => Promise<Result>): Promise<Result> {
  const scratch = await makeScratch('checkout');
  try {
    return await use(scratch);
  } finally {
    await removeScratch(scratch);
  }
}

const shown = ({ host, path }: Place): string => `${host}/${path}`;

async function remoteOf(folder: string, name: string): Promise<{ remote: string; place: Place }> {
  const found = await runGit({ folder }, ['config', '--get', `remote.${name}.url`]);
  const remote = found?.trim() ?? '';
  const place = placeOfRemote(remote);
  if (place !== null) return { remote, place };
  throw new UsageError(
    remote === ''
      ? `${folder} has no remote "${name}".`
      : `"${printable(remote)}" is no address of a repository at a forge.`,
    'Add one ("git remote add"), name another by --remote, or another checkout by --repo DIR.',
  );
}

async function baseOf(forge: Forge, place: Place, folder: string): Promise<string> {
  const base = await forge.defaultBranch();
  if (base !== null && (await isBranchName(folder, base))) return base;
  if (base !== null)
    throw new ForgeRefused(
      `${shown(place)} names "${base}" as its default branch, which is no name of one.`,
      'Name one by --base.',
    );
  throw new ForgeRefused(
    `${shown(place)} is not there, is empty, or is not shown to this token.`,
    'Look at the address of the remote and at the rights of the token; --base names a branch.',
  );
}

/** A remote's address lies where a goal's commands write, so a person sees it first. */
async function assertWanted({ yes, json }: PullOptions, question: string): Promise<void> {
  if (yes === true) return;
  if (json === true || !process.stdin.isTTY)
    throw new UsageError(`Nobody is here to answer: ${question}`, 'Say yes with --yes.');
  if (!(await saysYes(question))) throw new UsageError('Nothing was pushed.', 'Say yes to push.');
}

/** The same branch has one pull request, whose text a second call renews. */
async function opened(
  forge: Forge,
  place: Place,
  pull: NewPull,
): Promise<Pull & { readonly isNew: boolean }> {
  const known = await forge.find(pull.branch, pull.into);
  const done =
    known === null ? await forge.open(pull) : await forge.update(known.number, pull.text);
  if (done !== null) return { ...done, isNew: known === null };
  throw new ForgeRefused(
    `${shown(place)} takes no pull request from this token.`,
    `${pull.branch} was pushed: give the token the right to write pull requests, and repeat.`,
  );
}
