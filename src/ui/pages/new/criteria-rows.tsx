import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { ChoiceField, TextField } from '../../components/text-field.tsx';
import { IconPlus, IconX } from '../../generated/icons.tsx';
import {
  type CriterionField,
  type CriterionKind,
  type CriterionRow,
  criterionKinds,
  emptyRow,
  shownFields,
} from '../../view/criterion-form.ts';
import { type Problems, problemAt } from '../../view/start-form.ts';

const kinds = Object.keys(criterionKinds) as CriterionKind[];

/** One row a criterion: what has to hold, and below it how that is checked. */
export function CriteriaRows(props: {
  readonly rows: readonly CriterionRow[];
  readonly problems: Problems;
  readonly onChange: (rows: readonly CriterionRow[]) => void;
  /** The content below a row, such as a look at it now; it may change the row. */
  readonly below?: (row: CriterionRow, onChange: (row: CriterionRow) => void) => ReactNode;
}) {
  const { rows, onChange } = props;
  const change = (id: string, row: CriterionRow) =>
    onChange(rows.map((one) => (one.id === id ? row : one)));
  return (
    <>
      {rows.map((row, index) => (
        <CriterionEditor
          key={row.id}
          row={row}
          index={index}
          problems={props.problems}
          onChange={(changed) => change(row.id, changed)}
          onRemove={() => onChange(rows.filter(({ id }) => id !== row.id))}
        >
          {props.below?.(row, (changed) => change(row.id, changed))}
        </CriterionEditor>
      ))}
      <Button isSmall onClick={() => onChange([...rows, emptyRow()])}>
        <IconPlus size={14} stroke={1.75} aria-hidden="true" />
        Add criterion
      </Button>
    </>
  );
}

/** One of a list, or alone where nothing is to be removed. */
export function CriterionEditor(props: {
  readonly row: CriterionRow;
  readonly index: number;
  readonly problems: Problems;
  readonly onChange: (row: CriterionRow) => void;
  readonly onRemove?: () => void;
  readonly children?: ReactNode;
}) {
  const { row, index, onChange } = props;
  const number = index + 1;
  const [main, ...options] = shownFields(row);
  const set = (name: string, value: string) =>
    onChange({ ...row, values: { ...row.values, [name]: value } });
  const problem = (name: string) => problemAt(props.problems, `criteria.${index}.${name}`);
  const field = (one: CriterionField, isMain: boolean) => (
    <CriterionInput
      key={one.name}
      field={one}
      label={isMain ? `Criterion ${number}` : one.label}
      isBare={isMain}
      value={row.values[one.name] ?? ''}
      problem={problem(one.name) || (isMain ? problem('kind') : '')}
      onText={(text) => set(one.name, text)}
    />
  );
  const hasProblem = options.some(({ name }) => problem(name) !== '');
  const isOptioned = options.some(({ name }) => (row.values[name] ?? '') !== '');
  return (
    <fieldset className="criterion-editor">
      <legend className="visually-hidden">{`Criterion ${number}, all of it`}</legend>
      <div className="criterion-fields">
        <select
          className="field criterion-kind"
          aria-label={`Kind of criterion ${number}`}
          value={row.kind}
          onChange={(event) =>
            onChange({ ...row, kind: event.currentTarget.value as CriterionKind })
          }
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {criterionKinds[kind].label}
            </option>
          ))}
        </select>
        {main === undefined ? null : field(main, true)}
        {props.onRemove === undefined ? null : (
          <Button
            look="subtle"
            isIcon
            aria-label={`Remove criterion ${number}`}
            onClick={props.onRemove}
          >
            <IconX size={14} stroke={1.75} aria-hidden="true" />
          </Button>
        )}
      </div>
      {options.length === 0 ? null : (
        <details className="more-options" open={hasProblem || undefined}>
          <summary>{isOptioned ? 'Options, some set' : 'Options'}</summary>
          <div className="two-columns">{options.map((one) => field(one, false))}</div>
        </details>
      )}
      {props.children}
    </fieldset>
  );
}

export function CriterionInput(props: {
  readonly field: CriterionField;
  readonly label: string;
  readonly isBare: boolean;
  readonly value: string;
  readonly problem: string;
  readonly onText: (text: string) => void;
}) {
  const { field, ...rest } = props;
  const { choices, hint, isCode = false, isLong = false } = field;
  if (choices !== undefined) {
    const { label, value, problem, onText } = rest;
    const chosen = value === '' ? (choices[0]?.[0] ?? '') : value;
    return <ChoiceField {...{ label, problem, onText, choices }} value={chosen} />;
  }
  return (
    <TextField
      {...rest}
      isCode={isCode}
      isLong={isLong}
      {...(hint === undefined ? {} : { hint })}
    />
  );
}
