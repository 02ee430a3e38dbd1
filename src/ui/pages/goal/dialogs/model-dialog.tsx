import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { amendGoal } from '../../../api/actions.ts';
import { modelsQuery } from '../../../api/queries.ts';
import type { Goal } from '../../../api/types.ts';
import { ChoiceField } from '../../../components/text-field.tsx';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

type Models = Pick<Goal, 'model' | 'fallbackModel'>;

/** The model and the fallback model. */
export function ModelDialog({ goal, onClose }: GoalDialogProps) {
  const [model, setModel] = useState(goal.model);
  const [fallback, setFallback] = useState(goal.fallbackModel ?? '');
  const { data: models = [] } = useQuery(modelsQuery);
  const usable = models.filter(({ isUsable }) => isUsable).map((one) => one.model);
  const names = [...new Set([goal.model, ...usable])];
  const change = {
    ...(model === goal.model ? {} : { model }),
    ...(fallback === (goal.fallbackModel ?? '')
      ? {}
      : { fallbackModel: fallback === '' ? null : fallback }),
  };
  return (
    <ActionDialog
      goal={goal}
      title="Change the model"
      confirm="Save the model"
      busy="Saving…"
      done="Model saved."
      isReady={Object.keys(change).length > 0}
      send={(expectedRevision, key) => amendGoal(goal.goalId, { ...change, expectedRevision }, key)}
      isSame={(before, now) => modelsText(before) === modelsText(now) && now.status !== 'complete'}
      versions={(_before, now) => ({
        theirs: modelsText(now),
        mine: modelsText({ model, ...(fallback === '' ? {} : { fallbackModel: fallback }) }),
      })}
      onClose={onClose}
    >
      <p>It answers from the next call on; conversation, todo list and receipts stay.</p>
      <ChoiceField
        label="Model"
        value={model}
        choices={names.map((name) => [name, name] as const)}
        onText={setModel}
      />
      <ChoiceField
        label="Stands in while its provider fails"
        value={fallback}
        choices={[
          ['', 'none: it waits for the provider'],
          ...[...new Set([...(goal.fallbackModel ? [goal.fallbackModel] : []), ...names])]
            .filter((name) => name !== model)
            .map((name) => [name, name] as const),
        ]}
        onText={setFallback}
      />
    </ActionDialog>
  );
}

const modelsText = ({ model, fallbackModel }: Models): string =>
  fallbackModel === undefined ? model : `${model}, then ${fallbackModel}`;
