import { changedName } from '../../../schema/change-name.ts';
import type { GoalProofPredicate } from '../../../schema/proof-bundle.ts';
import type { Criterion, Gate, Goal } from '../api/types.ts';
import { type EvidenceState, evidenceOfCriterion, holdsForPerson } from './evidence.ts';
import { plural } from './format.ts';
import { levelText } from './proof-bundle.ts';

/** How far a goal is proven, as its page and its colours say it. */
export type ProofLook = 'verified' | 'other' | 'holds' | 'open';

export interface ProofFact {
  /** Null = nobody knows. */
  readonly count: number | null;
  readonly total?: number;
  readonly name: string;
  readonly note: string;
}

export interface ProofVerdict {
  readonly look: ProofLook;
  readonly icon: EvidenceState;
  readonly title: string;
  readonly text: string;
  readonly facts: readonly ProofFact[];
  readonly criteria: readonly ProofCriterion[];
  readonly requirements: readonly ProofRequirement[];
  readonly felt: GoalProofPredicate['proof']['felt'] | null;
  readonly beyond: readonly BeyondScope[];
}

type ProofRequirement = Pick<
  NonNullable<Goal['requirements']>[number],
  'requirementId' | 'text' | 'criteria' | 'by'
>;

export interface ProofCriterion {
  readonly criterion: Criterion;
  readonly before: string;
  readonly state: EvidenceState;
  readonly words: string;
}

export interface BeyondScope {
  readonly name: string;
  readonly note: string;
  /** The proof holds with it alone, so a person decides. */
  readonly isNeeded: boolean;
}

/** Of a completion, by its signed file. */
export function provenVerdict(predicate: GoalProofPredicate): ProofVerdict {
  const { level, proof, criteria, requirements } = predicate;
  const isVerified = level === 'verified';
  const worth = isVerified ? 'proved' : 'here';
  const files = plural(proof.files.length, 'file');
  const guards = criteria.filter(({ baseline }) => baseline === 'met').length;
  const proved = isVerified ? criteria.filter(({ state }) => state === 'met').length : 0;
  const asked = requirements?.requirements ?? [];
  return {
    look: isVerified ? 'verified' : 'other',
    icon: worth,
    title: levelText(predicate),
    text: isVerified
      ? `The project as it was at the start, with ${files} of the work and nothing else, meets in a clean place what it failed before.`
      : `${files} of the work, as told below; no proof run carries the completion alone.`,
    facts: [
      requirementFact(asked, 'checked by'),
      {
        ...{ count: proved, total: criteria.length, name: 'criteria proved' },
        note: guards === 0 ? 'none held before the work' : `${guards} held before, as guards`,
      },
      feltFact(proof.felt ?? null),
      {
        count: proof.beyondScope.length,
        name: 'files beyond the scope, not needed',
        note:
          proof.accepted.length === 0
            ? 'the proof needs none'
            : `${proof.accepted.length} more accepted by a person`,
      },
    ],
    criteria: criteria.map((one) =>
      shownCriterion(one as Criterion, one.state === 'met' ? worth : 'open'),
    ),
    requirements: asked,
    felt: proof.felt ?? null,
    beyond: [
      ...proof.accepted.map((name) => beyond(name, 'accepted by a person', false)),
      ...proof.beyondScope.map((name) => beyond(name, 'delivered as well, and not proven', false)),
    ],
  };
}

/** Of a goal without one: what it would rest on, and what is missing. */
export function openVerdict(goal: Goal, gate: Gate): ProofVerdict {
  const criteria = goal.criteria.map((one) => shownCriterion(one, evidenceOfCriterion(goal, one)));
  const met = criteria.filter(({ state }) => state === 'holds' || state === 'here').length;
  const isHolding = holdsForPerson(goal) && met === criteria.length && met > 0;
  const needed = gate.changes.map(({ name, criterionIds }) =>
    beyond(changedName(name), `the proof needs it, for ${criterionIds.join(', ')}`, true),
  );
  const dropped = (gate.proof?.beyondScope ?? []).map((name) =>
    beyond(name, 'dropped from the proof', false),
  );
  return {
    look: isHolding ? 'holds' : 'open',
    icon: isHolding ? 'holds' : 'open',
    title: isHolding ? 'Holds, waits for a person' : 'Not proved yet',
    text: isHolding ? holdingText(met, needed.length) : openText(goal),
    facts: [
      requirementFact(goal.requirements ?? [], 'bound to'),
      {
        ...{ count: 0, total: criteria.length, name: 'criteria proved' },
        note: isHolding
          ? `${met} ${met === 1 ? 'holds' : 'hold'}, and nothing is proved`
          : `${met} met as far as was looked`,
      },
      feltFact(gate.proof?.felt ?? null),
      {
        count: needed.length + dropped.length,
        name: 'files beyond the scope',
        note:
          needed.length > 0 ? `the proof needs ${needed.length}` : 'the proof needs none so far',
      },
    ],
    criteria,
    requirements: goal.requirements ?? [],
    felt: gate.proof?.felt ?? null,
    beyond: [...needed, ...dropped],
  };
}

const holdingText = (met: number, needed: number): string =>
  needed === 0
    ? `${plural(met, 'criterion holds', 'criteria hold')}. Nothing here is proved until a person answers.`
    : `${plural(met, 'criterion holds', 'criteria hold')}, but only together with ${plural(needed, 'change')} beyond the scope. Nothing here is proved until a person answers.`;

const openText = ({ status }: Goal): string =>
  status === 'complete'
    ? 'It is complete, and there is no proof to show: the gate says why.'
    : 'There is a proof as soon as the goal is complete: below stands what it would rest on.';

function shownCriterion(criterion: Criterion, state: EvidenceState): ProofCriterion {
  return { criterion, before: BEFORE[criterion.baseline], state, words: WORDS[state] };
}

const BEFORE: Readonly<Record<Criterion['baseline'], string>> = {
  met: 'met',
  unmet: 'unmet',
  not_run: 'not run',
};

const WORDS: Readonly<Record<EvidenceState, string>> = {
  proved: 'met',
  holds: 'holds, not proved',
  here: 'met, not proved',
  stale: 'stale',
  doing: 'in progress',
  open: 'not met',
  failed: 'failed',
  waiting: 'waits for you',
  dropped: 'dropped',
};

function requirementFact(
  all: readonly ProofRequirement[],
  how: 'checked by' | 'bound to',
): ProofFact {
  const count = (wanted: 'host' | 'person' | 'nobody') =>
    all.filter(({ by }) => by === wanted).length;
  if (all.length === 0)
    return { count: null, name: 'requirements', note: 'nobody split the objective' };
  const way = how.split(' ')[1] ?? '';
  return {
    ...{ count: count('host'), total: all.length, name: `requirements ${how} the host` },
    note: `${count('person')} ${way} a person, ${count('nobody')} ${way} nobody`,
  };
}

function feltFact(felt: GoalProofPredicate['proof']['felt'] | null): ProofFact {
  const name = 'changed files felt';
  if (felt === null || felt === undefined)
    return { count: null, name, note: 'known after a proof run' };
  const total = felt.felt.length + felt.unfelt.length;
  if (total === 0) return { count: null, name, note: 'none was tried alone' };
  return { count: felt.felt.length, total, name, note: 'a criterion fails without them' };
}

const beyond = (name: string, note: string, isNeeded: boolean): BeyondScope => ({
  name,
  note,
  isNeeded,
});
