import { IconCopy } from '../generated/icons.tsx';
import { useToast } from '../shell/toasts.tsx';
import { Button } from './button.tsx';

/** Browsers give no clipboard to pages that came over plain HTTP from another machine. */
export function CopyButton(props: {
  readonly text: string;
  readonly words: string;
  readonly isSmall?: boolean;
}) {
  const toast = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.text);
      toast('Copied.');
    } catch {
      toast('The browser did not allow it: select the text and copy it.');
    }
  };
  return (
    <Button isSmall={props.isSmall === true} onClick={() => void copy()}>
      <IconCopy size={14} stroke={1.75} aria-hidden="true" />
      {props.words}
    </Button>
  );
}
