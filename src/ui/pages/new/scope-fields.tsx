import { TextField } from '../../components/text-field.tsx';
import { type Problems, problemAt, type StartForm } from '../../view/start-form.ts';

interface Props {
  readonly form: StartForm;
  readonly problems: Problems;
  readonly onChange: (values: Partial<StartForm>) => void;
}

/** Which files are the work, and since when; everything else judges it. */
export function ScopeFields({ form, problems, onChange }: Props) {
  return (
    <section className="form-section">
      <h2>Scope</h2>
      <p>
        The files that are the work. Everything else judges it: changes there prove nothing without
        your word. Left empty, they are inferred before the first write.
      </p>
      <div className="two-columns">
        <TextField
          label="It may change, one glob a line"
          hint="src/**"
          isCode
          isLong
          value={form.change}
          problem={problemAt(problems, 'scope.change')}
          onText={(change) => onChange({ change })}
        />
        <TextField
          label="Except"
          hint="src/vendor/**"
          isCode
          isLong
          value={form.keep}
          problem={problemAt(problems, 'scope.keep')}
          onText={(keep) => onChange({ keep })}
        />
        <TextField
          label="Measured against the commit"
          hint="the files as they are"
          isCode
          most={250}
          input={{ autoComplete: 'off' }}
          value={form.base}
          problem={problemAt(problems, 'scope.base')}
          onText={(base) => onChange({ base })}
        />
      </div>
    </section>
  );
}

/** What the objective asks for, piece by piece. */
export function RequirementFields({ form, problems, onChange }: Props) {
  return (
    <section className="form-section">
      <h2>Requirements</h2>
      <p>What the objective asks for, piece by piece. Left empty, the model says it.</p>
      <TextField
        label="One a line"
        isLong
        value={form.requirements}
        problem={problemAt(problems, 'requirements')}
        onText={(requirements) => onChange({ requirements })}
      />
    </section>
  );
}
