import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';
import { IconAlertTriangle } from '../generated/icons.tsx';

interface Labelled {
  readonly label: ReactNode;
  /** Empty = nothing is wrong. */
  readonly problem?: string;
  readonly hint?: string;
}

/** A field with its name above it, and what is wrong with it below. */
export function TextField(
  props: Labelled & {
    readonly value: string;
    readonly onText: (text: string) => void;
    readonly isCode?: boolean;
    readonly isLong?: boolean;
    readonly rows?: number;
    /** The label is for screen readers only. */
    readonly isBare?: boolean;
    readonly input?: InputHTMLAttributes<HTMLInputElement>;
  },
) {
  const {
    label,
    problem = '',
    hint,
    value,
    onText,
    isCode,
    isLong,
    isBare,
    input,
    rows = 3,
  } = props;
  const id = useId();
  // An input would drop its line breaks.
  const [hasLines] = useState(() => value.includes('\n'));
  const isWrong = problem !== '';
  const shared = {
    id,
    value,
    'aria-invalid': isWrong,
    ...(isWrong ? { 'aria-describedby': `${id}-problem` } : {}),
    ...(hint === undefined ? {} : { placeholder: hint }),
    className: isCode === true ? 'mono' : '',
  };
  return (
    <div>
      <label className={isBare === true ? 'visually-hidden' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      {isLong === true || hasLines ? (
        <textarea
          {...shared}
          className={`text-area short ${shared.className} ${isWrong ? 'invalid' : ''}`}
          rows={rows}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      ) : (
        <div className={`field ${isWrong ? 'invalid' : ''}`}>
          <input
            maxLength={1000}
            {...input}
            {...shared}
            onChange={(event) => onText(event.currentTarget.value)}
          />
        </div>
      )}
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}

export function ChoiceField(
  props: Labelled & {
    readonly value: string;
    readonly choices: readonly (readonly [value: string, words: string])[];
    readonly onText: (text: string) => void;
  },
) {
  const { label, problem = '', value, choices, onText } = props;
  const id = useId();
  return (
    <div>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={`field ${problem === '' ? '' : 'invalid'}`}
        value={value}
        onChange={(event) => onText(event.currentTarget.value)}
      >
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </select>
      <Problem text={problem} />
    </div>
  );
}

export function Problem({ text, id }: { readonly text: string; readonly id?: string }) {
  if (text === '') return null;
  return (
    <p className="field-error" {...(id === undefined ? {} : { id })}>
      <IconAlertTriangle size={13} stroke={1.75} aria-hidden="true" /> {text}
    </p>
  );
}
