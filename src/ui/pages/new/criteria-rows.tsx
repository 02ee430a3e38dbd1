import { IconPlus, IconX } from '@tabler/icons-react';
import {
  type CriterionKind,
  type CriterionRow,
  kindWords,
  rowProblem,
} from '../../view/start-form.ts';

const kinds = Object.keys(kindWords) as CriterionKind[];

export function CriteriaRows(props: {
  readonly rows: readonly CriterionRow[];
  readonly isChecked: boolean;
  readonly onChange: (rows: readonly CriterionRow[]) => void;
}) {
  const { rows, onChange } = props;
  const change = (id: string, values: Partial<CriterionRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...values } : row)));
  const add = () => onChange([...rows, { id: crypto.randomUUID(), kind: 'command', text: '' }]);
  return (
    <section className="fs">
      <h2>Acceptance criteria</h2>
      <p>
        It cannot complete before each is proved after the last write. Without any, the project's
        own checks are found and used.
      </p>
      {rows.map((row, index) => {
        const problem = props.isChecked ? rowProblem(row) : '';
        return (
          <div key={row.id} className="crit">
            <select
              className="field kindf"
              aria-label={`Kind of criterion ${index + 1}`}
              value={row.kind}
              onChange={(event) =>
                change(row.id, { kind: event.currentTarget.value as CriterionKind })
              }
            >
              {kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {kindWords[kind].label}
                </option>
              ))}
            </select>
            <div>
              <div className={`field ${problem === '' ? '' : 'invalid'}`}>
                <input
                  className={row.kind === 'approval' ? '' : 'mono'}
                  aria-label={`Criterion ${index + 1}`}
                  aria-invalid={problem !== ''}
                  maxLength={1000}
                  value={row.text}
                  onChange={(event) => change(row.id, { text: event.currentTarget.value })}
                />
              </div>
              {problem === '' ? null : <p className="err">{problem}</p>}
            </div>
            <button
              type="button"
              className="btn g ic"
              aria-label={`Remove criterion ${index + 1}`}
              onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
            >
              <IconX size={14} stroke={1.75} aria-hidden="true" />
            </button>
          </div>
        );
      })}
      <button type="button" className="btn sm" onClick={add}>
        <IconPlus size={14} stroke={1.75} aria-hidden="true" />
        Add criterion
      </button>
    </section>
  );
}
