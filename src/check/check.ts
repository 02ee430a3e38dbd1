import type { CheckResult } from '../../schema/check-result.ts';
import type { Criterion, TrackedCriterion } from '../../schema/criteria.ts';
import type { StoredScope } from '../../schema/scope.ts';
import { TooLarge } from '../checkpoints/look.ts';
import { StoreFailed } from '../checkpoints/store-git.ts';
import type { EffectsSession } from '../contract/effects.ts';
import { detectChecks } from '../evidence/detect/all.ts';
import { inPlace } from '../evidence/proof/place.ts';
import { scopeTest } from '../proof/scope/scope.ts';
import { originalStore, proofFolder } from '../proof-place/original.ts';
import { removeTree } from '../proof-place/place.ts';
import { GitSilent } from '../workspace/git/run-git.ts';
import { acceptance } from './accept.ts';
import type { ProvenCheck } from './bundle.ts';
import { asRefusal, type ChosenCommits, type Repository } from './choose-base.ts';
import { conclude } from './conclude.ts';
import { sortCriteria, textOf } from './criteria.ts';
import { type CheckGround, hostOf, judgeWork, type Verdict } from './judge.ts';
import type { CheckedRun, CheckOrder } from './order.ts';
import { CheckRecord } from './record.ts';
import { CheckRefused } from './refused.ts';
import { keepTrees, scopeOfTrees, type Trees } from './trees.ts';

export interface CheckTools {
  /** Of this check; its folders are named by it. */
  readonly checkId: string;
  /** A folder of the host's own, which outlives the check: setups are kept in it. */
  readonly home: string;
  /** Starts what runs commands. */
  readonly startEffects: (workspace: string) => EffectsSession;
  readonly signal: AbortSignal;
  readonly onRun: (run: CheckedRun) => void;
}

export interface Checked {
  readonly result: CheckResult;
  /** Null unless there is a proof to sign. */
  readonly proven: ProvenCheck | null;
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
  const { home, signal } = tools;
  const effects = tools.startEffects(repository.top);
  const ground = { home, workspace: repository.top, effects, record, signal };
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

interface Ordered {
  readonly order: CheckOrder;
  readonly repository: Repository;
  readonly commits: ChosenCommits;
  readonly terms: string | null;
  readonly startedAt: Date;
}

async function checkOn(
  { order, repository, commits, terms, startedAt }: Ordered,
  ground: CheckGround,
): Promise<Checked> {
  const { home, workspace, record } = ground;
  const place = { home, goalId: record.goalId, workspace };
  const trees = await keepTrees(place, commits);
  const notices: string[] = [];
  const isFound = order.criteria.length === 0;
  const specs = isFound ? await ownChecks(ground, trees) : order.criteria;
  const { judged: given, open } = sortCriteria(specs, isFound ? 'detected' : 'caller');
  const measured: StoredScope = {
    ...(order.scope !== null && {
      change: [...order.scope.change],
      keep: [...order.scope.keep],
    }),
    ...{ base: commits.base, baseName: commits.why },
  };
  const scope = await scopeOfTrees(place, trees, measured, given);
  const isAccepted = acceptance(order.accept, (path) => trees.base.entries.has(path));
  const judging = { ground, order, trees, scope, given: measured, criteria: given, isAccepted };
  const verdict = await judgeWork(judging);
  const { judged } = verdict;
  if (judged.length === 0 && open.length === 0) {
    throw noCriteria('none of the checks that were found runs on the base');
  }
  if (isFound)
    notices.push(`The criteria were found in the base: ${judged.map(textOf).join(', ')}.`);
  const isWork = scopeTest(scope);
  if (!verdict.changed.some(isWork)) {
    notices.push(
      scope.change.length === 0
        ? 'Nothing says what the work is: name its files by --change, such as "src/**".'
        : `No changed file is in scope (${scope.change.slice(0, 5).join(', ')}): name the files of the work by --change.`,
    );
  }
  if (verdict.manifest !== null && order.accept.some((name) => name.endsWith('/'))) {
    notices.push(
      `Installed packages were not lent: ${verdict.manifest} differs from the base, and may have brought them. Accept it too, or let a setup install them.`,
    );
  }
  const found = record.finding;
  const proof = verdict.asked.length === 0 ? (found?.proof ?? null) : null;
  const beyondScope = proof?.beyondScope ?? verdict.changed.filter((path) => !isWork(path));
  const conclusion = conclude({
    ...{ evidence: verdict.criteria, criteria: judged, open, asked: verdict.asked },
    ...{ isAccepted, acceptsHeld: order.acceptsHeld, beyondScope, accepted: verdict.accepted },
  });
  if (record.isolation === 'none') notices.push(NO_SANDBOX);
  if (record.isolation === 'partial') notices.push(PART_OF_A_SANDBOX);
  const criteria = judged.map((one): TrackedCriterion => {
    const evidence = verdict.criteria.find(({ criterionId }) => criterionId === one.criterionId);
    const { state = 'unmet', baseline = 'not_run', reason = '', receipts = [] } = evidence ?? {};
    return { ...one, state, baseline, reason, receipts: [...receipts] };
  });
  const { status, exitCode, summary, wayOut, questions, level } = conclusion;
  const accepted = [
    ...verdict.accepted,
    ...[...judged, ...open].map(({ criterionId }) => criterionId).filter(isAccepted),
    ...(verdict.manifest === null ? order.accept.filter((name) => name.endsWith('/')) : []),
  ];
  const result: CheckResult = {
    ...{ status, exitCode, summary, wayOut, repository: repository.top },
    base: { commit: commits.base, why: commits.why },
    ...{ head: commits.head, terms, scope },
    criteria: criteria.map(({ criterionId, spec, baseline, state, reason = '' }) => ({
      ...{ criterionId, spec, baseline, ...told({ criterionId, state, reason }, verdict) },
    })),
    ...{
      questions: [...questions],
      accepted: [...new Set(accepted)],
      beyondScope: [...beyondScope],
    },
    ...{ isolation: record.isolation, notices, proof, bundle: null },
    ...{ runs: record.runs, durationMs: Date.now() - startedAt.getTime() },
  };
  const base = found?.base;
  const isToSign = status === 'proven' && proof !== null && base !== undefined;
  const what = commits.head === null ? 'the work tree' : commits.head.slice(0, 12);
  const objective = `Check of ${what} against ${commits.base.slice(0, 12)}: ${judged.map(textOf).join('; ')}`;
  return {
    result,
    proven: isToSign
      ? {
          ...{ record, objective: objective.slice(0, 1000), level, summary, criteria, proof, base },
          ...{ accepted: result.accepted, startedAt: startedAt.toISOString() },
        }
      : null,
  };
}

/** What a person is asked about is no part of the work yet: without it nothing holds. */
function told(
  {
    criterionId,
    state,
    reason,
  }: Pick<CheckResult['criteria'][number], 'criterionId' | 'state' | 'reason'>,
  { asked, baselines }: Verdict,
): Pick<CheckResult['criteria'][number], 'state' | 'reason'> {
  const isAsked = state === 'met' && asked.some((one) => one.criterionIds.includes(criterionId));
  const now = isAsked ? 'it holds only with what a person is asked about' : reason;
  const before = baselines.reasons[criterionId]?.split('\n')[0];
  return {
    state: isAsked ? 'unmet' : state,
    reason: before === undefined ? now : `${now}\nBefore: ${before}`,
  };
}

const NO_SANDBOX =
  'Commands ran without a sandbox, as this user: code under test could reach what judges it. Install bubblewrap (docs/security.md).';
const PART_OF_A_SANDBOX =
  'Commands ran in a part of a sandbox: they could have reached the network, or this user’s home.';

/** The project's own checks, as the base has them. */
async function ownChecks(ground: CheckGround, { base }: Trees): Promise<Criterion[]> {
  const { home, record } = ground;
  const tree = { store: originalStore(home, record.goalId), entries: base.entries, packages: [] };
  const host = hostOf(ground, 'baseline.found');
  const found = await inPlace(host, record.goalId, tree, ({ checkout }) => detectChecks(checkout));
  if (found.length === 0) throw noCriteria('no check of a known kind is in the base');
  return found.map(({ purpose, command }) => ({ kind: 'command', name: purpose, command }));
}

const noCriteria = (why: string): CheckRefused =>
  new CheckRefused(
    'no_criteria',
    `Nothing says what has to hold, and ${why}.`,
    'Name a command by --criterion, or commit a goalkeeper.yaml (docs/check.md).',
  );
