import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { modelsQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField } from '../../components/text-field.tsx';

/** A second goal with the same terms and another model; it begins in the start form. */
export function OtherModelDialog(props: { readonly goal: Goal; readonly onClose: () => void }) {
  const { goal, onClose } = props;
  const [, navigate] = useLocation();
  const models = useQuery(modelsQuery);
  const others =
    models.data?.filter(({ model, isUsable }) => isUsable && model !== goal.model) ?? [];
  const [chosen, setChosen] = useState('');
  const model = chosen === '' ? (others[0]?.model ?? '') : chosen;
  const open = () => {
    const terms = new URLSearchParams({ of: goal.goalId, model, tree: 'worktree' });
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
          <Button look="primary" disabled={model === ''} onClick={open}>
            To its terms…
          </Button>
        </>
      }
    >
      <ul className="plain-list">
        <li>
          <b>Files</b>: it begins on a worktree and branch of its own, from the last commit of{' '}
          <span className="mono">{goal.workspace.name}</span>, not from what this goal has written.
        </li>
        <li>
          <b>Budget</b>: its own, with the same limits. This goal’s is untouched.
        </li>
        <li>
          <b>This goal</b> stays as it is, and can be compared with it turn by turn.
        </li>
      </ul>
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
