import type { Criterion } from '../../schema/criteria.ts';
import type { StoredScope } from '../../schema/scope.ts';
import { TooLarge } from '../checkpoints/look.ts';
import { StoreFailed } from '../checkpoints/store-git.ts';
import type { EffectsSession } from '../contract/effects.ts';
import { detectChecks } from '../evidence/detect/all.ts';
import { inPlace } from '../evidence/proof/place.ts';
import { originalStore, proofFolder } from '../proof-place/original.ts';
import { removeTree } from '../sandbox/remove-tree.ts';
import { GitSilent } from '../workspace/git/run-git.ts';
import { acceptance } from './accept.ts';
import { asRefusal, type ChosenCommits, type Repository } from './choose-base.ts';
import { sortCriteria } from './criteria.ts';
import { type CheckGround, hostOf } from './gate-ground.ts';
import { judgeWork, type Verdict } from './judge.ts';
import type { CheckedRun, CheckOrder } from './order.ts';
import { CheckRecord } from './record.ts';
import { CheckRefused } from './refused.ts';
import { type Checked, concluded, type Ordered } from './result.ts';
import { keepTrees, scopeOfTrees, type Trees } from './trees.ts';

export interface CheckTools {
  /** Of this check; its folders are named by it. */
  readonly checkId: string;
  /** A folder of the host's own, which outlives the check: setups are kept in it. */
  readonly home: string;
  /** The service's own; see `EvidencePorts`. */
  readonly seeds: string;
  /** Starts what runs commands. */
  readonly startEffects: (workspace: string) => EffectsSession;
  readonly signal: AbortSignal;
  readonly onRun: (run: CheckedRun) => void;
}

/**
 * Judges what differs from a commit, once: without a goal, a model, a server or a database.
 * @throws CheckRefused where nothing can be judged
 */
export async function check(
  order: CheckOrder,
  repository: Repository,
  commits: ChosenCommits,
  terms: string | null,
  tools: CheckTools,
): Promise<Checked> {
  const startedAt = new Date();
  const record = new CheckRecord(tools.checkId, tools.onRun);
  const { home, seeds, signal } = tools;
  const effects = tools.startEffects(repository.top);
  const ground = { home, seeds, workspace: repository.top, effects, record, signal };
  try {
    return await checkOn({ order, repository, commits, terms, startedAt }, ground);
  } catch (error) {
    throw unjudged(asRefusal(error));
  } finally {
    await effects.close();
    await removeTree(proofFolder(home, record.goalId));
  }
}

function unjudged(error: unknown): unknown {
  if (error instanceof TooLarge) {
    return new CheckRefused('too_large', `${error.message}.`, 'Check a smaller repository.');
  }
  if (error instanceof StoreFailed || error instanceof GitSilent) {
    const wayOut = 'Repair the repository (git fsck), or fetch what it lacks.';
    return new CheckRefused('unreadable', `${error.message}.`, wayOut);
  }
  return error;
}

async function checkOn(ordered: Ordered, ground: CheckGround): Promise<Checked> {
  const { order, commits } = ordered;
  const { home, workspace, record } = ground;
  const place = { home, goalId: record.goalId, workspace };
  const trees = await keepTrees(place, commits);
  const isFound = order.criteria.length === 0;
  const specs = isFound ? await ownChecks(ground, trees) : order.criteria;
  const { judged: criteria, open } = sortCriteria(specs, isFound ? 'detected' : 'caller');
  const given = { ...order.scope, base: commits.base, baseName: commits.why } as StoredScope;
  const scope = await scopeOfTrees(place, trees, given, criteria);
  const isAccepted = acceptance(order.accept, (path) => trees.base.entries.has(path));
  const judging = { ground, order, trees, scope, given, criteria, isAccepted };
  const verdict = await judgeWork(judging);
  if (verdict.judged.length === 0 && open.length === 0) {
    throw noCriteria('none of the checks that were found runs on the base');
  }
  if (record.runs > 0 && record.isolation === null) throw nothingRan(verdict);
  return concluded({ ...ordered, record, scope, open, isAccepted, isFound, verdict });
}

/** The project's own checks, as the base has them. */
async function ownChecks(ground: CheckGround, { base }: Trees): Promise<Criterion[]> {
  const { home, record } = ground;
  const tree = { store: originalStore(home, record.goalId), entries: base.entries, packages: [] };
  const host = hostOf(ground, 'baseline.found');
  const found = await inPlace(host, record.goalId, tree, ({ checkout }) => detectChecks(checkout));
  if (found.length === 0) throw noCriteria('no check of a known kind is in the base');
  return found.map(({ purpose, command }) => ({ kind: 'command', name: purpose, command }));
}

function nothingRan({ criteria }: Verdict): CheckRefused {
  const why = criteria.find(({ state }) => state !== 'met')?.reason ?? '';
  return new CheckRefused(
    'nothing_ran',
    `No command could begin: ${why}`,
    'Let commands run here (docs/check.md, docs/security.md), then check again.',
  );
}

const noCriteria = (why: string): CheckRefused =>
  new CheckRefused(
    'no_criteria',
    `Nothing says what has to hold, and ${why}.`,
    'Name a command by --criterion, or commit a goalkeeper.yaml (docs/check.md).',
  );
