import { createHash } from 'node:crypto';
import type { CommandCriterion, SealedCriterion } from '../../../schema/criteria.ts';
import type { SealedCheck, SealedRun } from '../../../schema/sealed.ts';
import type { CriterionBaseline } from '../../contract/proofs.ts';
import type { SealedContent, SealedFile } from '../../contract/sealed.ts';
import type { TestReport } from '../../contract/test-report.ts';
import type { CallEnd } from '../../contract/tool-call.ts';
import { withSealedFiles } from '../../proof/sealed/file-names.ts';
import { hintOf } from '../../proof/sealed/told.ts';
import type { HostRun } from '../host-run.ts';
import { checkInPlace, inputsOf } from '../proof/check.ts';
import type { ProofTree } from '../proof/proof-tree.ts';
import { runProofPlainly } from '../proof/run.ts';
import { unrecorded } from '../unrecorded.ts';
import { sealedEffects } from './effects.ts';
import { type Room, storeFiles, withRoom } from './room.ts';

export type SealedCommand = Extract<SealedCheck, { kind: 'command' }>;

export interface SealedSubject {
  readonly criterionId: string;
  readonly spec: SealedCriterion;
}

/** How it ended, for the host and for people; only `state` and `hint` may be told to a model. */
export interface SealedOutcome extends Pick<SealedRun, 'state' | 'reason' | 'runs'> {
  readonly hint: string | null;
  readonly report: TestReport | null;
}

interface Order {
  readonly check: SealedCommand;
  readonly files: SealedContent['files'];
  readonly tree: ProofTree;
  /** What the run on the original reported; null = it did not run, or told nothing. */
  readonly original: TestReport | null;
}

const LONGEST_OUTPUT = 20_000;

/** Digest of all that a judging is given but the sealed content, which `sealedId` stands for. */
export const inputsOfSealed = (sealedId: string, check: SealedCommand, tree: ProofTree): string =>
  createHash('sha256')
    .update(sealedId)
    .update(inputsOf(commandOf(check), tree))
    .digest('hex');

/**
 * Runs a sealed check on the tree with the sealed files, without network and without anything that
 * outlives the run. None of its calls has a row in the ledger: what they printed comes back here.
 */
export async function runSealed(
  host: HostRun,
  goalId: string,
  { criterionId, spec }: SealedSubject,
  { check, files, tree, original }: Order,
): Promise<SealedOutcome> {
  return await withRoom(host.ports.home, goalId, tree.store, async (room) => {
    const ended: CallEnd[] = [];
    let isTampered = false;
    const paths = files.map(({ path }) => path);
    const onTampered = () => {
      isTampered = true;
    };
    const { attempt } = host;
    const effects = sealedEffects(attempt.effects, paths, onTampered);
    const known = { criterionId, spec: '', report: original };
    const kept = sealedHost(host, room.home, known, (end) => ended.push(end));
    const own = { ...kept, attempt: { ...attempt, effects } };
    const place = await placeWith(tree, room, files);
    const command = { criterionId, spec: commandOf(check) };
    const ran = await checkInPlace(own, goalId, command, place);
    host.signal.throwIfAborted();
    const isShown = !ran.isMet && host.origin === 'gate' && (spec.hint ?? 'none') !== 'none';
    const report = isShown ? await reportOfFailure(own, goalId, command, place) : ran.report;
    const hint = isShown ? hintOf(spec.hint ?? 'none', report, original) : null;
    const found = { hint, report, runs: ended.map(shownRun) };
    if (ended.some(({ receipt }) => (receipt.isolation ?? 'full') !== 'full')) {
      return { ...found, state: 'not_run', reason: NO_SANDBOX, hint: null, report: null };
    }
    if (isTampered) return { ...found, state: 'unmet', reason: TAMPERED };
    if (ran.isMet) return { ...found, state: 'met', reason: 'met' };
    const wasRun = host.origin === 'gate' || !ran.couldNotRun;
    return { ...found, state: wasRun ? 'unmet' : 'not_run', reason: ran.reason };
  });
}

async function placeWith(
  tree: ProofTree,
  room: Room,
  files: readonly SealedFile[],
): Promise<ProofTree> {
  const sealed = await storeFiles(room, files);
  return {
    ...tree,
    // What a sealed run leaves in a cache could be read later.
    keepsCaches: false,
    store: room.store,
    entries: withSealedFiles(tree.entries, sealed),
    ...(tree.original && { original: withSealedFiles(tree.original, sealed) }),
  };
}

const TAMPERED = 'sealed files changed while it ran';
const NO_SANDBOX = 'the sandbox was not whole';

const commandOf = ({
  command,
  cwd,
  setup,
  expectExit,
  timeoutSeconds,
}: SealedCommand): CommandCriterion => ({
  kind: 'command',
  command,
  ...(cwd !== undefined && { cwd }),
  ...(setup !== undefined && { setup }),
  ...(expectExit !== undefined && { expectExit }),
  ...(timeoutSeconds !== undefined && { timeoutSeconds }),
});

function sealedHost(
  { watch: _, ...host }: HostRun,
  home: string,
  known: CriterionBaseline,
  onEnd: (end: CallEnd) => void,
): HostRun {
  const { ports } = host;
  const baselines = async () => [known];
  return {
    ...host,
    ports: {
      ...ports,
      home,
      journal: { ...ports.journal, ...unrecorded(onEnd) },
      proofs: { ...ports.proofs, baselines },
    },
  };
}

/** A plain run names no tests, so the one that failed runs once more with reporters. */
async function reportOfFailure(
  host: HostRun,
  goalId: string,
  command: { readonly criterionId: string; readonly spec: CommandCriterion },
  tree: ProofTree,
): Promise<TestReport | null> {
  const asked = { ...host, origin: 'baseline' as const, prefix: `${host.prefix}.hint` };
  const { last } = await runProofPlainly(asked, goalId, command, tree);
  host.signal.throwIfAborted();
  return last.report;
}

function shownRun({ callId, receipt, output }: CallEnd): SealedRun['runs'][number] {
  const text = Buffer.from(output ?? []).toString('utf8');
  return {
    name: callId,
    reason: receipt.reason ?? '',
    output: text.length <= LONGEST_OUTPUT ? text : `…${text.slice(-LONGEST_OUTPUT)}`,
  };
}
