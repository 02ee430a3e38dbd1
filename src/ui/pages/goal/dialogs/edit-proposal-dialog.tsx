import { useState } from 'react';
import { decideApproval } from '../../../api/actions.ts';
import { detailAt } from '../../../api/problem.ts';
import type { Approval, Goal, Problem } from '../../../api/types.ts';
import { TextField } from '../../../components/text-field.tsx';
import {
  type CriterionSpec,
  criterionKinds,
  rowOf,
  rowProblems,
  rowTitle,
  toCriterion,
} from '../../../view/criterion-form.ts';
import { criteriaText, isSamePromise } from '../../../view/version-text.ts';
import { CriterionEditor } from '../../new/criteria-rows.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { useDecided } from './use-decided.ts';

/** The criterion that the model proposes; null where the approval is about something else. */
export const proposedCriterion = ({ kind, data }: Approval): CriterionSpec | null =>
  kind === 'criterion' ? ((data.criterion as CriterionSpec | undefined) ?? null) : null;

/** A proposed criterion as a person would have it: what they make of it is what is accepted. */
export function EditProposalDialog(props: {
  readonly goal: Goal;
  readonly approval: Approval;
  readonly proposed: CriterionSpec;
  readonly onClose: () => void;
  readonly onAnswered?: () => void;
}) {
  const { goal, approval, proposed, onClose, onAnswered } = props;
  const decided = useDecided(approval);
  const [first] = useState(() => rowOf(proposed));
  const [row, setRow] = useState(first);
  const [note, setNote] = useState('');
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const criterion = toCriterion(row);
  const isChanged = JSON.stringify(criterion) !== JSON.stringify(toCriterion(first));
  const problems = Object.fromEntries(
    Object.entries(rowProblems(row)).map(([field, text]) => [`criteria.0.${field}`, text]),
  );
  const send = async (expectedRevision: number, key: string) => {
    const words = note.trim() === '' ? {} : { note: note.trim() };
    const body = {
      decision: 'approve' as const,
      criteria: [criterion],
      ...words,
      expectedRevision,
    };
    const answer = await decideApproval(goal.goalId, approval.approvalId, body, key);
    setRefused(refusedIn(answer.error));
    if (answer.data !== undefined) onAnswered?.();
    return answer;
  };
  return (
    <ActionDialog
      goal={goal}
      title="Edit the criterion, then accept it"
      confirm="Accept as edited"
      busy="Accepting…"
      done="Accepted as you edited it."
      tone="keeper"
      isWide
      isToldAtField={Object.keys(refused).length > 0}
      isReady={isChanged && Object.keys(problems).length === 0}
      send={send}
      isSame={isSamePromise}
      versions={(_before, now) => ({
        theirs: criteriaText(now),
        mine: rowTitle(row) || criterionKinds[row.kind].label,
      })}
      onClose={onClose}
      decided={decided}
    >
      <p>
        Your version judges the goal, and has to fail before it can prove anything. The record keeps
        the model’s proposal beside it.
      </p>
      <div className="edited-criterion">
        <CriterionEditor
          row={row}
          index={0}
          problems={{ ...problems, ...refused }}
          onChange={(changed) => {
            setRefused({});
            setRow(changed);
          }}
        />
      </div>
      <TextField
        label="Reason, for the agent and the record"
        value={note}
        problem=""
        onText={setNote}
        isLong
      />
    </ActionDialog>
  );
}

/** What the service refuses, at its field. */
function refusedIn(error: unknown): Readonly<Record<string, string>> {
  const problem = (error ?? {}) as Problem;
  const { field = '' } = problem;
  return field.startsWith('criteria.0') ? { [field]: detailAt(problem) } : {};
}
