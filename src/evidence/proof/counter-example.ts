import type { CommandCriterion } from '../../../schema/criteria.ts';
import type { CounterExample, CounterRun } from '../../../schema/dispute.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import { StoreFailed } from '../../checkpoints/store-git.ts';
import type { CounterFindings } from '../../contract/dispute.ts';
import type { ProofGround } from '../../contract/original.ts';
import { showsIt } from '../../proof/disputes.ts';
import { isInScope } from '../../proof/scope/scope.ts';
import { lendUnchanged } from '../../proof-place/dependencies.ts';
import { type Comparison, withComparison } from '../../proof-place/original.ts';
import { contentKey, type TreeChange, withChanges } from '../../proof-place/tree-changes.ts';
import { ruledWorkspace } from '../../workspace/ruled-workspace.ts';
import { makeScratch, removeScratch } from '../../workspace/scratch.ts';
import type { Attempts } from '../attempt-outcome.ts';
import type { BaselineRun } from '../baseline-run.ts';
import { homeOfCheckout } from '../checkout.ts';
import { runAfterSetup, runClean } from '../clean.ts';
import type { HostRun } from '../host-run.ts';
import { type ProofTree, runProof } from './run.ts';

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
  if (error instanceof StoreFailed || error instanceof TooLarge) return null;
  throw error;
}

async function inProofPlace(
  ground: CounterGround,
  proof: ProofGround,
  counterExample: CounterExample,
): Promise<CounterFindings> {
  const { ports, brief } = ground;
  const { goalId, workspace } = brief;
  const found = await lendUnchanged(workspace.path, proof.dependencies);
  const lent = 'lent' in found ? found.lent : [];
  const place = { home: ports.home, goalId, workspace: workspace.path };
  return await withComparison(place, proof.original, async (trees) => {
    if (trees.unseen.length > 0) throw new TooLarge(`${trees.unseen[0]} could not be kept`);
    const runOn = (tree: CounterRun['tree'], entries: ProofTree['entries'], packages = lent) =>
      oneRun(ground, counterExample, tree, (host, runnable) =>
        runProof(host, goalId, runnable, { store: trees.place, entries, lent: packages }),
      );
    const changes = workOf(ground, proof, trees);
    const work = await runOn('work', withChanges(trees.original, changes));
    const at = { place: 'proof' } as const;
    if (!work.shows) return { ...at, runs: [work], showsOnOriginal: false, showsOnNothing: false };
    const original = changes.length === 0 ? work : await runOn('original', trees.original.entries);
    const empty = await runOn('empty', new Map(), []);
    return {
      ...at,
      runs: [work, ...(original === work ? [] : [original]), empty],
      showsOnOriginal: original.shows,
      showsOnNothing: empty.shows,
    };
  });
}

function workOf({ brief }: CounterGround, proof: ProofGround, trees: Comparison): TreeChange[] {
  const accepted = brief.baseline?.accepted ?? {};
  return trees.changes.filter(
    (change) =>
      isInScope(proof.scope, change.path) || accepted[change.path] === contentKey(change.now),
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
  const { last } = await runIt(hostRunOf(ground, tree), { criterionId: SUBJECT, spec });
  ground.signal.throwIfAborted();
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

function hostRunOf(ground: CounterGround, tree: CounterRun['tree']): HostRun {
  const { ports, attempt, brief, input, signal, callId } = ground;
  return {
    ports,
    attempt,
    workspace: brief.workspace.path,
    workspaceName: ruledWorkspace(brief.workspace),
    turn: input.turn,
    origin: 'dispute',
    prefix: `dispute.${callId}.${attempt.fence.token}.${tree}`,
    signal,
  };
}
