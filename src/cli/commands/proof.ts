import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { attachNote } from '../../attest/attach-note.ts';
import { MOST_BYTES, payloadOfLine, readPublicKeys } from '../../attest/dsse.ts';
import type { RerunGround } from '../../attest/rerun.ts';
import { type Verdict, verifyBundle } from '../../attest/verify-bundle.ts';
import { makeScratch, removeScratch } from '../../workspace/scratch.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';
import { processTerminal } from '../terminal.ts';

interface ExportOptions extends CommonOptions {
  readonly out?: string;
}

export async function exportProof(prefix: string, options: ExportOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const bundle = await bundleOf(session, goalId);
  const out = options.out ?? `${goalId}.intoto.jsonl`;
  if (out === '-') process.stdout.write(bundle);
  else {
    await writeFile(out, bundle).catch((error: Error) => {
      throw new UsageError(`${out} can't be written: ${error.message}`, 'Name another --out FILE.');
    });
    print(session, { goalId, file: out }, () => `${out}: ${goalId}, signed`);
  }
  return EXIT.complete;
}

const bundleOf = (session: Session, goalId: string): Promise<string> =>
  session.client.text(`/v1/goals/${goalId}/proof`);

export async function proofKey(options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const key = await session.client.text('/v1/proof-key');
  print(session, { key }, () => key.trimEnd());
  return EXIT.complete;
}

interface RepoOptions extends CommonOptions {
  readonly repo?: string;
}

export async function attachProof(prefix: string, options: RepoOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const bundle = await bundleOf(session, goalId);
  const { subject } = JSON.parse(payloadOfLine(bundle.split('\n')[0] ?? '')) as {
    subject: [{ digest: { gitTree: string } }];
  };
  const folder = resolve(options.repo ?? '.');
  const attached = await attachNote(folder, bundle, subject[0].digest.gitTree);
  const done = attached.isNew ? 'attached to' : 'was attached already to';
  print(
    session,
    { goalId, ...attached },
    () => `the proof of ${goalId} ${done} ${attached.commit}`,
  );
  return EXIT.complete;
}

interface VerifyOptions extends RepoOptions {
  readonly key?: string;
  readonly rerun?: boolean;
}

/** Asks no service and no database. */
export async function verifyProof(path: string, options: VerifyOptions): Promise<ExitCode> {
  const file = await readBounded(path);
  const keys = await trustedKeys(options.key ?? process.env.GOALKEEPER_TRUSTED_KEYS);
  const folder = resolve(options.repo ?? '.');
  const home = await makeScratch('checkout');
  try {
    const order = { file, path: resolve(path), keys, folder, home };
    const verdict = await (options.rerun === true
      ? withRerun({ home, folder }, (rerun) => verifyBundle({ ...order, rerun }))
      : verifyBundle(order));
    const terminal = processTerminal();
    print({ terminal, isJson: options.json === true }, verdict, () => verdictText(verdict));
    return EXIT.complete;
  } finally {
    await removeScratch(home);
  }
}

async function readBounded(path: string): Promise<Buffer> {
  const file = await readFile(path).catch((error: Error) => {
    throw new UsageError(
      `${path} can't be read: ${error.message}`,
      'Name the file of "proof export".',
    );
  });
  return file.subarray(0, MOST_BYTES + 1);
}

async function trustedKeys(path: string | undefined) {
  if (path === undefined || path === '') return [];
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(
      `${path} can't be read: ${error.message}`,
      'Name a file with public keys.',
    );
  });
  const keys = readPublicKeys(text);
  if (keys !== null) return keys;
  throw new UsageError(
    `${path} holds no public keys (PEM, Ed25519 or ECDSA P-256).`,
    'Get it with "goalkeeper proof key > FILE" where the goal ran.',
  );
}

type Verifier = NonNullable<Parameters<typeof verifyBundle>[0]['rerun']>;

/** Commands run as a worker's do: in a sandbox, as this machine's settings say. */
async function withRerun<Result>(
  { home, folder }: Pick<RerunGround, 'home' | 'folder'>,
  use: (rerun: Verifier) => Promise<Result>,
): Promise<Result> {
  const { startRerun } = await import('../../app/rerun-effects.ts');
  const { rerunProof } = await import('../../attest/rerun.ts');
  const own = join(home, 'service');
  const effects = await startRerun(own, folder, process.env);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  try {
    const ground = { home: own, folder, effects, signal: stop.signal };
    return await use((predicate, rebuilt) => rerunProof(ground, predicate, rebuilt));
  } finally {
    process.removeListener('SIGINT', onSignal);
    await effects.close();
  }
}

function verdictText(verdict: Verdict): string {
  const { goalId, objective, keyId, tree, files, besides, unkept, ledger, isolation, rerun } =
    verdict;
  const sealed = ledger.sealed === 0 ? '' : `, ${ledger.sealed} sealed by its installation’s key`;
  return [
    `verified: ${goalId} "${objective}"`,
    `  signed by ${keyId}`,
    `  tree ${tree}, ${files} changed ${files === 1 ? 'file' : 'files'}: the checkout is what was proven`,
    ...(besides.length === 0 ? [] : [`  beside it, and not proven: ${besides.join(', ')}`]),
    ...(unkept.length === 0 ? [] : [`  in no proof: ${unkept.join(', ')}`]),
    `  ledger: ${ledger.recomputed} receipts recomputed${sealed}; isolation ${isolation ?? 'not recorded'}`,
    ...(rerun ?? []).map(({ criterionId, reason, tests }) => {
      const counted = tests === null ? '' : `, ${tests} tests`;
      return `  ran again here: ${criterionId} ${reason}${counted}`;
    }),
    ...(rerun === null ? ['  not run again (--rerun does)'] : []),
  ].join('\n');
}
