import type { CommandCriterion } from '../../../schema/criteria.ts';
import type { CounterExample, CounterRun } from '../../../schema/dispute.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import { isAboutTheStore } from '../../checkpoints/store-git.ts';
import type { CounterFindings } from '../../contract/dispute.ts';
import type { ProofGround } from '../../contract/original.ts';
import { showsIt } from '../../proof/disputes.ts';
import { commandsOf, partsOf } from '../../proof/proof-parts.ts';
import { withComparison } from '../../proof-place/original.ts';
import { makeScratch, removeScratch } from '../../workspace/scratch.ts';
import type { Attempts } from '../attempt-outcome.ts';
import type { BaselineRun } from '../baseline-run.ts';
import { homeOfCheckout } from '../checkout.ts';
import { runAfterSetup, runClean } from '../clean.ts';
import { type HostRun, hostRunIn } from '../host-run.ts';
import { ofChanges } from './changes.ts';
import { differences } from './differences.ts';
import type { ProofTree } from './proof-tree.ts';
import { runProof } from './run.ts';
import { treeWith } from './search.ts';
import { keptPackages } from './setup.ts';
import { setupRulesOf } from './setup-plans.ts';

const TIMEOUT_SECONDS = 120;
const SHOWN_OUTPUT = 2000;

/** Ledger id of what the runs are about: no criterion, so that none is proven by them. */
const SUBJECT = 'counter-example';

export type CounterGround = Pick<
  BaselineRun,
  'ports' | 'attempt' | 'input' | 'brief' | 'signal'
> & {
  readonly callId: string;
};

/**
 * Runs a counter-example on the original tree with the goal's changes in scope, then on the original
 * alone and on no files at all: what only the goal's own changes, or nothing of the project, brings
 * about is told apart. Where there is no original, a fresh checkout of the workspace has to do.
 */
export async function runCounterExample(
  ground: CounterGround,
  counterExample: CounterExample,
): Promise<CounterFindings> {
  const proof = ground.brief.baseline?.proof;
  if (proof !== undefined && !('reason' in proof)) {
    const findings = await inProofPlace(ground, proof, counterExample).catch(unlessNotKept);
    if (findings !== null) return findings;
  }
  const run = (tree: CounterRun['tree'], runIt: RunIt) =>
    oneRun(ground, counterExample, tree, runIt);
  const work = await run('work', (host, runnable) => runClean(host, runnable, {}));
  const found = { place: 'clean', showsOnOriginal: null } as const;
  if (!work.shows) return { ...found, runs: [work], showsOnNothing: false };
  const empty = await run('empty', runOnNothing);
  return { ...found, runs: [work, empty], showsOnNothing: empty.shows };
}

const runOnNothing: RunIt = async (host, runnable) => {
  const checkout = await makeScratch('checkout');
  try {
    return await runAfterSetup(host, runnable, { checkout }, 'an empty folder');
  } finally {
    await removeScratch(checkout);
    await removeScratch(homeOfCheckout(checkout));
  }
};

function unlessNotKept(error: unknown): null {
  if (isAboutTheStore(error) || error instanceof TooLarge) return null;
  throw error;
}

async function inProofPlace(
  ground: CounterGround,
  proof: ProofGround,
  counterExample: CounterExample,
): Promise<CounterFindings> {
  const { ports, brief } = ground;
  const { goalId } = brief;
  const workspace = brief.workspace.path;
  return await withComparison(
    { home: ports.home, goalId, workspace },
    proof.original,
    async (trees) => {
      if (trees.unseen.length > 0) throw new TooLarge(`${trees.unseen[0]} could not be kept`);
      const setup = setupRulesOf(brief);
      const kept = await keptPackages(ports.home, treeWith({ trees, packages: [], setup }, []));
      const commands = commandsOf(brief.criteria);
      const { packages, changes } = await differences(workspace, proof, trees, kept, commands);
      const accepted = brief.baseline?.accepted ?? {};
      const { scope } = proof;
      const original = trees.original.entries.keys();
      const rules = { scope, original, criteria: brief.criteria, accepted, ...ofChanges };
      const parts = partsOf(changes, rules);
      const ofProof = { trees, packages, setup };
      const runOn = (tree: CounterRun['tree'], files: ProofTree) =>
        oneRun(ground, counterExample, tree, (host, runnable) =>
          runProof(host, goalId, runnable, files),
        );
      const work = await runOn('work', treeWith(ofProof, parts.work));
      const at = { place: 'proof' } as const;
      if (!work.shows)
        return { ...at, runs: [work], showsOnOriginal: false, showsOnNothing: false };
      const before =
        parts.work.length === 0 ? null : await runOn('original', treeWith(ofProof, []));
      const nothing = { store: trees.place, entries: new Map(), packages: [] };
      const empty = await runOn('empty', nothing);
      return {
        ...at,
        runs: [work, ...(before === null ? [] : [before]), empty],
        showsOnOriginal: (before ?? work).shows,
        showsOnNothing: empty.shows,
      };
    },
  );
}

type RunIt = (
  host: HostRun,
  runnable: { readonly criterionId: string; readonly spec: CommandCriterion },
) => Promise<Attempts>;

async function oneRun(
  ground: CounterGround,
  { command, expect }: CounterExample,
  tree: CounterRun['tree'],
  runIt: RunIt,
): Promise<CounterRun> {
  const spec: CommandCriterion = {
    kind: 'command',
    command,
    timeoutSeconds: TIMEOUT_SECONDS,
    ...(expect.exit === undefined ? {} : { expectExit: expect.exit }),
  };
  const prefix = `dispute.${ground.callId}.${ground.attempt.fence.token}.${tree}`;
  const host = hostRunIn(ground, 'dispute', prefix);
  const { last } = await runIt(host, { criterionId: SUBJECT, spec });
  const { exitCode, output, row } = last;
  const shows = showsIt(expect, { exit: exitCode, output });
  return {
    tree,
    exit: exitCode,
    shows,
    output: output.trimEnd().slice(-SHOWN_OUTPUT),
    receipt: row.seq,
  };
}
