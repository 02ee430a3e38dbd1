import { useQuery } from '@tanstack/react-query';
import { gateQuery, todosQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { nextAct } from '../../view/actor.ts';
import { holdsForPerson } from '../../view/evidence.ts';
import { clock, plural } from '../../view/format.ts';
import {
  isLacking,
  type Requirement,
  requirementsOf,
  shortestWay,
} from '../../view/requirements.ts';
import type { DialogName } from '../goal/dialogs/goal-dialog.tsx';
import { GateArt } from './gate-art.tsx';
import { ProofSection } from './proof-section.tsx';
import { RefusalList } from './refusal-list.tsx';
import { RequirementTable } from './requirement-table.tsx';

/** Why it can't finish, what would satisfy each requirement, and who can. */
export function GatePage(props: {
  readonly goal: Goal;
  readonly onDialog: (name: DialogName) => void;
}) {
  const { goal } = props;
  const gate = useQuery(gateQuery(goal.goalId));
  const todos = useQuery(todosQuery(goal.goalId));
  const waits = nextAct(goal, useMayAct()).kind === 'you';
  if (gate.isPending || todos.isPending) {
    return <SkeletonLines label="Loading the gate" widths={[60, 40, 85, 70, 80]} />;
  }
  if (gate.data === undefined || todos.data === undefined) {
    const retry = () => {
      void gate.refetch();
      void todos.refetch();
    };
    return <FailedBox what="The gate" error={gate.error ?? todos.error} onRetry={retry} />;
  }
  const all = requirementsOf(
    goal,
    gate.data,
    todos.data.items,
    waits && goal.activity.on === 'approval',
  );
  const ofKind = (kind: Requirement['kind']) => all.filter((one) => one.kind === kind);
  return (
    <div className="gate-page">
      <Verdict goal={goal} all={all} lastTurn={gate.data.turn} />
      <Way goal={goal} all={all} />
      <RequirementTable
        title="Criteria"
        goal={goal}
        requirements={ofKind('criterion')}
        freshness={gate.data.freshness}
        empty="No criteria: a person judges when the goal claims to be done."
        onApprove={() => props.onDialog('approve')}
      />
      <RequirementTable
        title="Todo items"
        goal={goal}
        requirements={ofKind('todo')}
        freshness={gate.data.freshness}
        empty="The agent has written no list."
        onApprove={() => props.onDialog('approve')}
      />
      <ProofSection goal={goal} gate={gate.data} />
      <RefusalList goal={goal} />
    </div>
  );
}

function Verdict(props: {
  readonly goal: Goal;
  readonly all: readonly Requirement[];
  readonly lastTurn: number | null;
}) {
  const { goal, all } = props;
  const lacking = all.filter(isLacking);
  return (
    <div className="verdict">
      <GateArt requirements={all} />
      <div>
        <h2>{titleOf(goal, all.length, lacking.length)}</h2>
        <p className="text-secondary">{gateText(goal, lacking, props.lastTurn)}</p>
      </div>
    </div>
  );
}

function titleOf(goal: Goal, total: number, lacking: number): string {
  const { status, completion } = goal;
  if (status === 'complete') {
    if (completion?.source === 'person')
      return `Completed by hand; ${plural(lacking, 'requirement')} unproven`;
    return lacking === 0 && completion?.verification === 'verified'
      ? `Passed: ${plural(total, 'requirement')} proved`
      : 'Passed';
  }
  if (total === 0) return 'Nothing to check yet';
  if (lacking === 0)
    return holdsForPerson(goal)
      ? 'Holds, waits for a person: nothing is proved yet'
      : `${plural(total, 'requirement holds', 'requirements hold')} now, and nothing is proved yet`;
  return `Not finishable yet: ${lacking} of ${total} requirements lack evidence`;
}

function gateText(
  { status, completion }: Goal,
  lacking: readonly Requirement[],
  turn: number | null,
): string {
  if (status === 'complete' && completion !== undefined) {
    return completion.source === 'person'
      ? `By the word of a person, at ${clock(completion.at, 'seconds')}.`
      : `Completion was accepted at ${clock(completion.at, 'seconds')}.`;
  }
  const criteria = lacking.filter(({ kind }) => kind === 'criterion').length;
  const items = lacking.length - criteria;
  const lack = [
    ...(criteria === 0 ? [] : [plural(criteria, 'criterion', 'criteria')]),
    ...(items === 0 ? [] : [plural(items, 'todo item')]),
  ];
  const asked =
    turn === null
      ? 'The host has not run the checks at a claim yet.'
      : `The host last ran the checks in turn ${turn}.`;
  const left = lack.length === 0 ? '' : `${lack.join(' and ')} left. `;
  return `${left}${asked} The model can’t override this; it goes through the moment all are proved.`;
}

function Way({ goal, all }: { readonly goal: Goal; readonly all: readonly Requirement[] }) {
  const steps = goal.status === 'complete' ? [] : shortestWay(all);
  if (steps.length === 0) return null;
  return (
    <p className="note">
      <b>Shortest way to done:</b> {steps.join('; then ')}.
    </p>
  );
}
