import type { ReactNode } from 'react';
import { PlainButton } from './button.tsx';

/** Choices beside each other, of which one holds. */
export function Segmented<Choice extends string>(props: {
  /** For screen readers. */
  readonly label: string;
  /** The third says more of it. */
  readonly choices: readonly (readonly [choice: Choice, words: ReactNode, title?: string])[];
  readonly chosen: Choice;
  readonly onChoose: (choice: Choice) => void;
  readonly className?: string;
}) {
  const { label, choices, chosen, onChoose, className } = props;
  const classes = className === undefined ? 'segmented' : `segmented ${className}`;
  return (
    <div className={classes} role="group" aria-label={label}>
      {choices.map(([choice, words, title]) => (
        <PlainButton
          key={choice}
          title={title}
          aria-pressed={choice === chosen}
          onClick={() => onChoose(choice)}
        >
          {words}
        </PlainButton>
      ))}
    </div>
  );
}
