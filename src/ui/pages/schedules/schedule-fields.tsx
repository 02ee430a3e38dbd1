import type { ReactNode } from 'react';
import { ChoiceField, Problem, TextField } from '../../components/text-field.tsx';
import { catchUpChoices, overlapChoices, type ScheduleForm } from '../../view/schedule-form.ts';
import { type Problems, problemAt } from '../../view/start-form.ts';

interface Props {
  readonly form: ScheduleForm;
  readonly problems: Problems;
  readonly onChange: (values: Partial<ScheduleForm>) => void;
}

const zones = Intl.supportedValuesOf('timeZone');

/** Its name, when it comes, and what happens when it can't. */
export function ScheduleFields(props: Props) {
  const { form, problems, onChange } = props;
  return (
    <>
      <section className="form-section">
        <TextField
          label="Name of the schedule"
          hint="such as weekly dependencies"
          most={80}
          input={{ autoComplete: 'off' }}
          value={form.name}
          problem={problemAt(problems, 'name')}
          onText={(name) => onChange({ name })}
        />
      </section>
      <section className="form-section">
        <h2>When</h2>
        <p>A minute apart at least. Where clocks change, each fixed time comes once.</p>
        <div className="two-columns">
          <ChoiceField
            label="It comes"
            value={form.by}
            choices={[
              ['cron', 'at times of the calendar'],
              ['span', 'after each span of time'],
            ]}
            onText={(by) => onChange({ by: by as ScheduleForm['by'] })}
          />
        </div>
        <div className="two-columns">
          {form.by === 'cron' ? <CronFields {...props} /> : <SpanFields {...props} />}
        </div>
        <Problem text={problems.when ?? ''} />
      </section>
      <section className="form-section">
        <h2>When it can’t</h2>
        <p>What becomes of due times that come too soon, or came while nothing ran.</p>
        <div className="two-columns">
          <ChoiceField
            label="While the last one is not over"
            value={form.overlap}
            problem={problemAt(problems, 'overlap')}
            choices={overlapChoices}
            onText={(overlap) => onChange({ overlap: overlap as ScheduleForm['overlap'] })}
          />
          <ChoiceField
            label="Due times that were missed"
            value={form.catchUp}
            problem={problems.catchUp ?? ''}
            choices={catchUpChoices}
            onText={(catchUp) => onChange({ catchUp: catchUp as ScheduleForm['catchUp'] })}
          />
          <TextField
            label="None that is longer ago, in hours"
            input={{ inputMode: 'decimal' }}
            value={form.withinHours}
            problem={problemAt(problems, 'catchUpSeconds')}
            onText={(withinHours) => onChange({ withinHours })}
          />
        </div>
      </section>
    </>
  );
}

function CronFields({ form, problems, onChange }: Props) {
  return (
    <>
      <div>
        <TextField
          label="Minute, hour, day, month, weekday"
          hint="0 6 * * 1"
          isCode
          input={{ autoComplete: 'off', spellCheck: false }}
          value={form.cron}
          problem={problemAt(problems, 'when.cron')}
          onText={(cron) => onChange({ cron })}
        />
        <p className="text-small text-muted">Monday at six: 0 6 * * 1</p>
      </div>
      <div>
        <TextField
          label="Time zone"
          hint="UTC"
          isCode
          input={{ list: 'time-zones', autoComplete: 'off' }}
          value={form.timeZone}
          problem={problemAt(problems, 'when.timeZone')}
          onText={(timeZone) => onChange({ timeZone })}
        />
        <datalist id="time-zones">
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
    </>
  );
}

function SpanFields({ form, problems, onChange }: Props) {
  return (
    <>
      <TextField
        label="Every"
        input={{ inputMode: 'decimal' }}
        value={form.span}
        problem={problemAt(problems, 'when.everySeconds')}
        onText={(span) => onChange({ span })}
      />
      <ChoiceField
        label="Unit"
        value={form.unit}
        choices={[
          ['minutes', 'minutes'],
          ['hours', 'hours'],
          ['days', 'days'],
        ]}
        onText={(unit) => onChange({ unit: unit as ScheduleForm['unit'] })}
      />
    </>
  );
}

/** A goal that stands and is told something, or what stands below. */
export function DoesFields(props: Props & { readonly children: ReactNode }) {
  const { form, problems, onChange, children } = props;
  return (
    <>
      <section className="form-section">
        <h2>What it does</h2>
        <p>By your rights of now, as long as your token lasts.</p>
        <ChoiceField
          label="At each due time"
          value={form.does}
          choices={[
            ['start', 'a goal starts'],
            ['template', 'a goal starts from a template'],
            ['wake', 'a goal that stands is woken'],
          ]}
          onText={(does) => onChange({ does: does as ScheduleForm['does'] })}
        />
        {form.does === 'wake' ? (
          <>
            <TextField
              label="Goal that it wakes"
              hint="g-…"
              isCode
              input={{ autoComplete: 'off' }}
              value={form.goalId}
              problem={problemAt(problems, 'wake.goalId')}
              onText={(goalId) => onChange({ goalId })}
            />
            <TextField
              label="What the goal is told"
              hint="Look at the inbox."
              isLong
              value={form.text}
              problem={problemAt(problems, 'wake.text')}
              onText={(text) => onChange({ text })}
            />
          </>
        ) : null}
      </section>
      {form.does === 'wake' ? null : children}
    </>
  );
}

/** What a schedule that stands starts. */
export function KeptStart({ form, problems, onChange }: Props) {
  const own = problems['start.objective'] ?? '';
  const others = Object.entries(problems)
    .filter(([field]) => /^start(?!\.objective)/.test(field))
    .map(([field, problem]) => (field === 'start' ? problem : `${field.slice(6)}: ${problem}`));
  return (
    <section className="form-section">
      <TextField
        label="Objective"
        isLong
        value={form.objective}
        problem={own}
        onText={(objective) => onChange({ objective })}
      />
      <TextField
        label="The rest of its start, as JSON"
        isCode
        isLong
        rows={14}
        value={form.rest}
        problem={others.join(' ')}
        onText={(rest) => onChange({ rest })}
      />
      <p className="text-small text-muted">
        Every field of a start, as the API takes it. A webhook whose address ends in “?…” keeps what
        is not shown.
      </p>
    </section>
  );
}
