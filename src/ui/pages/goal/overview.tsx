import { useState } from 'react';
import type { Goal } from '../../api/types.ts';
import { Segmented } from '../../components/segmented.tsx';
import { BudgetPane } from './budget-pane.tsx';
import type { DialogName } from './dialogs/goal-dialog.tsx';
import { TodoPane } from './todo-pane.tsx';
import { TurnsPane } from './turns-pane.tsx';

const panes = ['turns', 'todo', 'budget'] as const;

/** Three panes that scroll by themselves; on narrow screens one at a time. */
export function Overview(props: {
  readonly goal: Goal;
  readonly onDialog: (name: DialogName) => void;
}) {
  const { goal, onDialog } = props;
  const [shown, setShown] = useState<(typeof panes)[number]>('turns');
  const { done, total } = goal.todos;
  const names = {
    turns: 'Turns',
    todo: total === 0 ? 'Todo' : `Todo ${done}/${total}`,
    budget: 'Budget, criteria',
  };
  return (
    <>
      <div className="pane-switch">
        <Segmented
          label="Pane"
          choices={panes.map((pane) => [pane, names[pane]] as const)}
          chosen={shown}
          onChoose={setShown}
        />
      </div>
      <div className="panes" data-pane={shown}>
        <TodoPane goal={goal} />
        <TurnsPane goal={goal} />
        <BudgetPane goal={goal} onDialog={onDialog} />
      </div>
    </>
  );
}
