import type { Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { checkedByText, uncheckedWords } from '../../view/requirement-form.ts';

/** What the objective asks for, piece by piece, and who checks each piece. */
export function RequirementsPane(props: { readonly goal: Goal; readonly onEdit: () => void }) {
  const { goal, onEdit } = props;
  const mayAct = useMayAct();
  const requirements = goal.requirements ?? [];
  const isOver = goal.status === 'complete' || goal.archivedAt !== undefined;
  if (requirements.length === 0 && isOver) return null;
  return (
    <div className="pane-section">
      <h2>
        Requirements
        <span className="pane-note">{uncheckedWords(requirements)}</span>
      </h2>
      {requirements.length === 0 ? (
        <p className="text-muted">
          What the objective asks for, piece by piece: the model says it.
        </p>
      ) : (
        <ul>
          {requirements.map((requirement) => (
            <li key={requirement.requirementId}>
              <b>{requirement.requirementId}</b> {requirement.text}{' '}
              <span className="text-small text-secondary">{checkedByText(requirement)}</span>
            </li>
          ))}
        </ul>
      )}
      {mayAct && !isOver ? (
        <Button isSmall onClick={onEdit}>
          Edit requirements…
        </Button>
      ) : null}
    </div>
  );
}
