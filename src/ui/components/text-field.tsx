import {
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { IconAlertTriangle } from '../generated/icons.tsx';
import { excessText } from '../view/text-length.ts';
import { signsIn } from '../view/unseen.ts';

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
    /** Characters that are taken; what is longer stays whole and says so. */
    readonly most?: number;
    /** A dialog begins in it. */
    readonly isFocused?: boolean;
    /** The label is for screen readers only. */
    readonly isBare?: boolean;
    readonly input?: InputHTMLAttributes<HTMLInputElement>;
    readonly area?: TextareaHTMLAttributes<HTMLTextAreaElement>;
  },
) {
  const {
    label,
    hint,
    value,
    onText,
    isCode,
    isLong,
    isBare,
    isFocused,
    input,
    area,
    rows = 3,
    most = Number.POSITIVE_INFINITY,
  } = props;
  const problem = excessText(value, most) || (props.problem ?? '');
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
    ...(isFocused === true ? { 'data-autofocus': true } : {}),
    className: isCode === true ? 'mono' : '',
  };
  return (
    <div>
      <label className={isBare === true ? 'visually-hidden' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      {isLong === true || hasLines ? (
        <textarea
          {...area}
          {...shared}
          className={`text-area short ${shared.className} ${isWrong ? 'invalid' : ''}`}
          rows={rows}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      ) : (
        <div className={`field ${isWrong ? 'invalid' : ''}`}>
          <input {...input} {...shared} onChange={(event) => onText(event.currentTarget.value)} />
        </div>
      )}
      <Problem id={`${id}-problem`} text={problem} />
      {input?.type === 'password' ? null : <UnseenNote text={value} />}
    </div>
  );
}

/** A field can't draw marks: what can't be seen in it is named below it. */
export function UnseenNote({ text }: { readonly text: string }) {
  const signs = signsIn(text);
  if (signs.length === 0) return null;
  return (
    <p className="text-small tone-warn">Holds characters that can’t be seen: {signs.join(', ')}</p>
  );
}

/** Of a field that is drawn where it is used. */
export function TextNotes(props: {
  readonly text: string;
  readonly most: number;
  readonly id?: string;
}) {
  const { text, most, id } = props;
  return (
    <>
      <Problem {...(id === undefined ? {} : { id })} text={excessText(text, most)} />
      <UnseenNote text={text} />
    </>
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
