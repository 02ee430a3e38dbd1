import type { KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { attachNote } from '../../attest/attach-note.ts';
import { keyIdOf, MOST_BYTES, payloadOfLine, readPublicKeys } from '../../attest/dsse.ts';
import { BundleRefused } from '../../attest/refused.ts';
import type { RerunGround } from '../../attest/rerun.ts';
import { type Held, verifyBundle } from '../../attest/verify-bundle.ts';
import { makeScratch, removeScratch } from '../../workspace/scratch.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { exitOfRefusal } from '../failure.ts';
import { assertFileEnds } from '../named-file.ts';
import { errorLook, resultLook } from '../screen/result-look.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';
import { processTerminal } from '../terminal.ts';
import { heldLines, refusalLines, verifiedLines } from '../verdict-text.ts';

interface ExportOptions extends CommonOptions {
  readonly out?: string;
  /** What it says and its runs printed, as one page. */
  readonly html?: boolean;
}

export async function exportProof(prefix: string, options: ExportOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const isPage = options.html === true;
  const text = isPage
    ? await session.client.text(`/v1/goals/${goalId}/proof?as=html`)
    : await bundleOf(session, goalId);
  const out = options.out ?? `${goalId}.${isPage ? 'html' : 'intoto.jsonl'}`;
  if (out === '-') process.stdout.write(text);
  else {
    await writeFile(out, text).catch((error: Error) => {
      throw new UsageError(`${out} can't be written: ${error.message}`, 'Name another --out FILE.');
    });
    const kind = isPage ? 'a page to read' : 'signed';
    print(session, { goalId, file: out }, () => `${out}: ${goalId}, ${kind}`);
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
  const folder = await realFolder(options.repo ?? '.');
  const home = await makeScratch('checkout');
  const held: Held = {};
  const isJson = options.json === true;
  try {
    const order = { file, path: resolve(path), keys, folder, home, held };
    const verdict = await (options.rerun === true
      ? withRerun({ home, folder }, (rerun) => verifyBundle({ ...order, rerun }))
      : verifyBundle(order));
    if (isJson) process.stdout.write(`${JSON.stringify(verdict)}\n`);
    else tellHeld(held, keys, verifiedLines(held as Required<Held>, verdict.rerun, resultLook()));
    return EXIT.complete;
  } catch (error) {
    if (isJson || !(error instanceof BundleRefused)) throw error;
    return tellRefused(held, keys, error);
  } finally {
    await removeScratch(home);
  }
}

function tellHeld(held: Held, keys: readonly KeyObject[], rest: readonly string[]): void {
  const key = keys.find((one) => keyIdOf(one) === held.signature?.keyId);
  const lines = heldLines(held, key?.asymmetricKeyType ?? 'key', resultLook());
  for (const text of [...lines, ...rest]) processTerminal().out(text);
}

/** What a person has to decide about is a result; a fault is an error. */
function tellRefused(held: Held, keys: readonly KeyObject[], error: BundleRefused): ExitCode {
  const isHolding = error.code === 'not_verified';
  const lines = refusalLines(held, error, isHolding ? resultLook() : errorLook());
  tellHeld(held, keys, isHolding ? lines : []);
  if (!isHolding) for (const text of lines) processTerminal().err(text);
  return exitOfRefusal(error);
}

async function readBounded(path: string): Promise<Buffer> {
  await assertFileEnds(path, 'Name the file of "proof export".');
  try {
    // One byte more than is read tells that it is too large.
    return await buffer(createReadStream(path, { end: MOST_BYTES }));
  } catch (error) {
    const why = (error as Error).message;
    throw new UsageError(`${path} can't be read: ${why}`, 'Name the file of "proof export".');
  }
}

/** Links on the way would hide files from the comparison. */
async function realFolder(path: string): Promise<string> {
  const folder = await realpath(path).catch(() => null);
  if (folder !== null && (await stat(folder)).isDirectory()) return folder;
  throw new UsageError(`${path} is no folder.`, 'Name the checkout with --repo DIR.');
}

async function trustedKeys(path: string | undefined) {
  if (path === undefined || path === '') return [];
  await assertFileEnds(path, 'Name a file with public keys.');
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
