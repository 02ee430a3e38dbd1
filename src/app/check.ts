import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { CheckResult } from '../../schema/check-result.ts';
import { type Criterion, criterionSchema } from '../../schema/criteria.ts';
import { firstMisfit, tellMisfit } from '../../schema/misfits.ts';
import type { Terms } from '../../schema/repository-file.ts';
import { scopeInputSchema } from '../../schema/scope.ts';
import { keyIdOf, type Signer } from '../attest/dsse.ts';
import { openSigner } from '../attest/signer.ts';
import { bundleOf, type ProvenCheck } from '../check/bundle.ts';
import { check } from '../check/check.ts';
import { type ChosenCommits, chooseCommits, findRepository } from '../check/choose-base.ts';
import { openCheckFolders, sweepChecks } from '../check/folders.ts';
import type { CheckedRun, CheckOrder } from '../check/order.ts';
import { type Config, ConfigError, type Environment } from '../contract/config.ts';
import { readFileIfAny } from '../process/private-file.ts';
import { seedsFolder } from '../sandbox/seeds/seed-store.ts';
import { productVersion } from '../version.ts';
import { runGit } from '../workspace/git/run-git.ts';
import { boxed } from '../workspace/helper/boxed.ts';
import { startEffects } from '../workspace/helper/client.ts';
import { loadConfig } from './config.ts';
import { configuredSandbox } from './configured-sandbox.ts';

/** An order as callers give it; what they leave out, the repository's file at the base says. */
export interface AskedCheck {
  readonly repository: string;
  readonly base: string | null;
  readonly head: string | null;
  /** Commands run where the caller is. */
  readonly criteria: readonly string[];
  readonly change: readonly string[];
  readonly keep: readonly string[];
  readonly setup: readonly string[];
  readonly accept: readonly string[];
  readonly allowDependencies: boolean;
  readonly acceptsHeld: boolean;
  /** False = the repository's file is not read. */
  readonly readsTerms: boolean;
  /** Where the proof is written; null = nowhere. */
  readonly bundle: string | null;
}

/** The settings that a check knows: none of a service, a database or a model. */
const SETTINGS = [
  ...['GOALKEEPER_HOME', 'GOALKEEPER_SANDBOX', 'GOALKEEPER_COMMAND_LIMITS', 'XDG_DATA_HOME'],
  ...['GOALKEEPER_PROOF_SIGN_COMMAND', 'GOALKEEPER_PROOF_PUBLIC_KEY'],
] as const;

/**
 * The judge alone.
 * @throws CheckRefused, ConfigError, SigningFailed
 */
export async function runCheck(
  asked: AskedCheck,
  environment: Environment,
  onRun: (run: CheckedRun) => void,
  signal: AbortSignal,
): Promise<CheckResult> {
  const repository = await findRepository(asked.repository);
  const commits = await chooseCommits(repository, asked);
  const found = asked.readsTerms ? await termsAtBase(repository.top, commits) : null;
  const config = configOf(environment);
  const sandbox = await configuredSandbox(config);
  const order = orderOf(asked, repository.folder, found?.terms ?? {});
  await sweepChecks(config.home);
  const folders = await openCheckFolders(config.home);
  const { checkId, home } = folders;
  const { result, proven } = await check(order, repository, commits, found?.path ?? null, {
    ...{ checkId, home, seeds: seedsFolder(config.home), signal, onRun },
    startEffects: (workspace) => {
      const ground = async () => ({ goalId: checkId, workspace, network: 'none' as const });
      const host = hostname();
      return startEffects({ host, onSpawn: async () => {}, ...boxed(sandbox, ground) });
    },
  }).finally(() => folders.remove());
  if (asked.bundle === null || proven === null) return result;
  return { ...result, bundle: await write(asked.bundle, proven, config, environment) };
}

function configOf(environment: Environment): Config {
  const known = SETTINGS.map((name) => [name, environment[name]] as const);
  return loadConfig(Object.fromEntries(known.filter(([, value]) => value !== undefined)));
}

const NAMES = ['goalkeeper.json', 'goalkeeper.yaml', 'goalkeeper.yml'];
const MOST_BYTES = 256 * 1024;

/** What the repository asked for before the work, which can't change its own judge so. */
async function termsAtBase(
  top: string,
  { base }: ChosenCommits,
): Promise<{ readonly path: string; readonly terms: Terms } | null> {
  const listed =
    (await runGit({ folder: top }, ['ls-tree', '-l', '-z', base, '--', ...NAMES])) ?? '';
  const [one, other] = listed.split('\0').filter(Boolean);
  if (one === undefined) return null;
  const [, mode, size, name = ''] = /^(\d+) \w+ \S+ +(\S+)\t(.+)$/s.exec(one) ?? [];
  const path = `${name} of ${base.slice(0, 12)}`;
  if (other !== undefined) {
    throw new ConfigError(path, 'is not alone: the base has several', 'Keep one of them.');
  }
  if (mode === '120000' || !(Number(size) <= MOST_BYTES)) {
    throw new ConfigError(path, 'is a link or too large', 'Let it be a file of at most 256 KB.');
  }
  const text = await runGit({ folder: top }, ['cat-file', 'blob', `${base}:${name}`]);
  if (text === null) throw new ConfigError(path, 'can’t be read', 'Repair the repository.');
  const { termsIn } = await import('./repository-terms.ts');
  return { path, terms: termsIn(path, text, null).terms };
}

function orderOf(asked: AskedCheck, folder: string, terms: Terms): CheckOrder {
  const own = asked.criteria.map((command) =>
    commandFrom({ kind: 'command', command, ...(folder !== '' && { cwd: folder }) }),
  );
  const isAllowed = asked.allowDependencies || terms.policy?.dependencies === 'allow';
  return {
    ...{ repository: asked.repository, base: asked.base, head: asked.head },
    criteria: [...(terms.criteria ?? []), ...own],
    scope: scopeFrom(asked, terms),
    setup: asked.setup.length > 0 ? asked.setup : (terms.setup ?? []),
    dependencies: isAllowed ? 'allow' : 'ask',
    feltShare: terms.policy?.felt?.share ?? 0,
    ...{ accept: asked.accept, acceptsHeld: asked.acceptsHeld },
  };
}

/** @throws ConfigError */
function commandFrom(spec: Criterion): Criterion {
  const parsed = criterionSchema.safeParse(spec);
  if (parsed.success) return parsed.data;
  const why = tellMisfit(firstMisfit(parsed.error));
  throw new ConfigError('--criterion', `is not usable: ${why}`, 'Name a command.');
}

/** @throws ConfigError */
function scopeFrom({ change, keep }: AskedCheck, { scope }: Terms): CheckOrder['scope'] {
  if (change.length === 0 && keep.length === 0) {
    return scope?.change === undefined ? null : { change: scope.change, keep: scope.keep ?? [] };
  }
  const parsed = scopeInputSchema.safeParse(change.length === 0 ? { keep } : { change, keep });
  if (parsed.success) return { change, keep };
  const why = tellMisfit(firstMisfit(parsed.error));
  throw new ConfigError('--change or --keep', `is not usable: ${why}`, 'Name files by globs.');
}

async function write(
  file: string,
  proven: ProvenCheck,
  config: Config,
  environment: Environment,
): Promise<CheckResult['bundle']> {
  const { signer, isEphemeral } = signerOf(config, environment);
  await writeFile(file, await bundleOf(proven, signer, productVersion()));
  const keyId = keyIdOf(signer.publicKey);
  if (!isEphemeral) return { file, keyId, ephemeralKey: null };
  const ephemeralKey = `${file}.pem`;
  await writeFile(ephemeralKey, signer.publicKey.export({ type: 'spki', format: 'pem' }));
  return { file, keyId, ephemeralKey };
}

/** On a machine that is made for one run, a kept key would be no more than one of this run. */
function signerOf({ home, proofSigner }: Config, { CI }: Environment) {
  const isKept = proofSigner !== null || readFileIfAny(join(home, 'proof-key.pem')) !== null;
  if (isKept || !CI || CI === 'false') {
    return { signer: openSigner(home, proofSigner), isEphemeral: false };
  }
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const signer: Signer = { publicKey, sign: async (bytes) => sign(null, bytes, privateKey) };
  return { signer, isEphemeral: true };
}
