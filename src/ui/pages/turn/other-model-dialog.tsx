import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { checkpointsQuery } from '../../api/changes.ts';
import { modelsQuery } from '../../api/queries.ts';
import type { Checkpoints, Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField } from '../../components/text-field.tsx';
import { placeBefore } from '../../view/change-tree.ts';

const COMMIT = 'commit';

/** The files before and after a turn, as far as they were kept; each by the turn that they stand after. */
function placesOfTurn(kept: Checkpoints, turn: number): [string, string][] {
  const before = placeBefore(kept, turn);
  const after = placeBefore(kept, turn + 1);
  return [
    ...(before === null
      ? []
      : [[String(turn - 1), `the files before turn ${turn}`] as [string, string]]),
    ...(after === null || after.name === before?.name
      ? []
      : [[String(turn), `the files after turn ${turn}`] as [string, string]]),
  ];
}

/**
 * A second goal with the same terms and another model, by default with the files as they were before
 * this turn; it begins in the start form.
 */
export function OtherModelDialog(props: {
  readonly goal: Goal;
  readonly turn: number;
  readonly onClose: () => void;
}) {
  const { goal, turn, onClose } = props;
  const [, navigate] = useLocation();
  const models = useQuery(modelsQuery);
  const others =
    models.data?.filter(({ model, isUsable }) => isUsable && model !== goal.model) ?? [];
  const [chosen, setChosen] = useState('');
  const model = chosen === '' ? (others[0]?.model ?? '') : chosen;
  const checkpoints = useQuery(checkpointsQuery(goal.goalId));
  const places = checkpoints.data === undefined ? [] : placesOfTurn(checkpoints.data, turn);
  const [picked, setPicked] = useState<string | null>(null);
  const from = picked ?? places[0]?.[0] ?? COMMIT;
  const open = () => {
    const terms = new URLSearchParams({ of: goal.goalId, model, tree: 'worktree' });
    if (from !== COMMIT) terms.set('turn', from);
    navigate(`/new?${terms}`);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Another goal with another model?"
      footer={
        <>
          <span className="grow" />
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={model === '' || checkpoints.isPending} onClick={open}>
            To its terms…
          </Button>
        </>
      }
    >
      <ul className="plain-list">
        <li>
          <b>Files</b>: it begins on a worktree and branch of its own.
        </li>
        <li>
          <b>Budget</b>: its own, with the same limits. This goal’s is untouched.
        </li>
        <li>
          <b>This goal</b> stays as it is, and can be compared with it turn by turn.
        </li>
      </ul>
      {checkpoints.isPending ? null : (
        <ChoiceField
          label="It begins with"
          value={from}
          choices={[...places, [COMMIT, 'the last commit']]}
          onText={setPicked}
        />
      )}
      {others.length === 0 && models.isSuccess ? (
        <p className="tone-warn">The service knows no other model.</p>
      ) : (
        <ChoiceField
          label="Model"
          value={model}
          choices={others.map((one) => [one.model, one.model] as const)}
          onText={setChosen}
        />
      )}
    </Dialog>
  );
}
