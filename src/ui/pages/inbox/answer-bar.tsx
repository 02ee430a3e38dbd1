import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import type { KeyName } from '../../shell/key-names.ts';
import { useKeys } from '../../shell/keys.ts';
import { AnswerError } from '../goal/answer-field.tsx';

export interface Answer {
  readonly key: KeyName;
  /** Ends in `…` where it asks for more first. */
  readonly label: string;
  readonly look?: 'keeper' | 'danger';
  readonly onGive: () => void;
}

const PLACES = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

export const placeKey = (index: number): KeyName | undefined => PLACES[index];

/** The answers at the foot of an item, each by its key and by its place. */
export function AnswerBar(props: {
  readonly answers: readonly Answer[];
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** What stands beside them: where this item is among all. */
  readonly children?: ReactNode;
}) {
  const { answers, error } = props;
  const mayAct = useMayAct();
  const isOffline = useIsOffline();
  const isOff = props.isBusy || isOffline;
  const give = ({ onGive }: Answer) => {
    if (mayAct && !isOff) onGive();
  };
  const places = answers.flatMap((answer, index) => {
    const key = placeKey(index);
    return key === undefined ? [] : [[key, () => give(answer)] as const];
  });
  const named = answers.map((answer) => [answer.key, () => give(answer)] as const);
  useKeys(Object.fromEntries([...places, ...named]));
  return (
    <footer className="inbox-answers">
      <AnswerError error={error} />
      {mayAct ? (
        answers.map((answer) => (
          <Button
            key={answer.label}
            look={answer.look}
            disabled={isOff}
            onClick={() => give(answer)}
          >
            {answer.label} <kbd className="desktop-only">{answer.key}</kbd>
          </Button>
        ))
      ) : (
        <p className="text-muted">An operator or an admin answers this.</p>
      )}
      {props.children}
    </footer>
  );
}
