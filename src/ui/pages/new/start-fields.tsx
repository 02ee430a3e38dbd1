import type { Estimate } from '../../api/types.ts';
import { AttachField } from '../../components/attach-field.tsx';
import { ChoiceField, Problem, TextField, TextNotes } from '../../components/text-field.tsx';
import { type Problems, problemAt, type StartForm } from '../../view/start-form.ts';
import { fits } from '../../view/text-length.ts';
import { CheckNow } from './check-now.tsx';
import { CriteriaRows } from './criteria-rows.tsx';
import { PlaceFields } from './place-fields.tsx';
import { PolicyFields } from './policy-fields.tsx';
import { RequirementFields, ScopeFields } from './scope-fields.tsx';
import { SealHere } from './seal-here.tsx';

const MOST_LETTERS = 4000;

interface Props {
  readonly form: StartForm;
  readonly problems: Problems;
  readonly estimate: Estimate | undefined;
  readonly onChange: (values: Partial<StartForm>) => void;
}

export function StartFields(props: Props) {
  const { form, problems, onChange } = props;
  return (
    <>
      <section className="form-section">
        <h2>
          <label htmlFor="objective">Objective</label>
        </h2>
        <p>One outcome, in the words you would give a colleague.</p>
        <AttachField
          files={form.files}
          problem={problemAt(problems, 'attachments')}
          onFiles={(files) => onChange({ files })}
        >
          <textarea
            id="objective"
            className="text-area"
            aria-invalid={
              problemAt(problems, 'objective') !== '' || !fits(form.objective, MOST_LETTERS)
            }
            value={form.objective}
            onChange={(event) => onChange({ objective: event.currentTarget.value })}
          />
          <Problem text={problemAt(problems, 'objective')} />
          <TextNotes text={form.objective} most={MOST_LETTERS} />
          <p className="text-small text-muted tabular text-right">
            {form.objective.length} of {MOST_LETTERS.toLocaleString('en')}
          </p>
        </AttachField>
      </section>
      <RequirementFields {...props} />
      <Criteria {...props} />
      <ScopeFields {...props} />
      <Budget {...props} />
      <PlaceFields {...props} />
      <PolicyFields
        policy={form.policy}
        problems={problems}
        onChange={(policy) => onChange({ policy })}
      />
    </>
  );
}

function Criteria({ form, problems, onChange }: Props) {
  return (
    <section className="form-section">
      <h2>Acceptance criteria</h2>
      <p>It can’t complete before each is proved after the last write.</p>
      <CriteriaRows
        rows={form.criteria}
        problems={problems}
        onChange={(criteria) => onChange({ criteria })}
        below={(row, onRow) =>
          row.kind === 'sealed' ? (
            <SealHere row={row} onChange={onRow} />
          ) : (
            <CheckNow row={row} workspace={form.workspace} policy={form.policy} />
          )
        }
      />
      {form.criteria.length > 0 ? null : (
        <div className="when-none">
          <ChoiceField
            label="Without any criterion"
            value={form.whenNone}
            choices={[
              ['detect', 'the project’s own checks are found and used'],
              ['judge', 'a person judges when it claims to be done'],
            ]}
            onText={(whenNone) => onChange({ whenNone: whenNone as StartForm['whenNone'] })}
          />
        </div>
      )}
      <Problem text={problems.criteria ?? ''} />
    </section>
  );
}

const budgets = [
  ['tokens', 'Tokens', 'tokens'],
  ['costUsd', 'USD', 'costUsd'],
  ['turns', 'Turns', 'turns'],
  ['hours', 'Active hours', 'activeSeconds'],
] as const;

function Budget({ form, problems, estimate, onChange }: Props) {
  const hint = (name: (typeof budgets)[number][2]): string => {
    const value = estimate?.budget[name];
    if (value === undefined) return 'default';
    if (value === null) return 'none';
    return name === 'activeSeconds'
      ? String(Number(value) / 3600)
      : Number(value).toLocaleString('en');
  };
  return (
    <section className="form-section">
      <h2>Budget</h2>
      <p>
        The first limit that is reached stops new work; one wrap-up turn is kept in reserve. Empty
        takes the default, “none” lifts a limit.
      </p>
      <div className="four-columns">
        {budgets.map(([name, label, limit]) => (
          <TextField
            key={name}
            label={label}
            hint={hint(limit)}
            input={{ inputMode: 'decimal' }}
            value={form[name]}
            problem={problemAt(problems, `budget.${limit}`)}
            onText={(text) => onChange({ [name]: text })}
          />
        ))}
      </div>
      <Problem text={problems.budget ?? ''} />
    </section>
  );
}
