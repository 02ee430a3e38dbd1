import { createContext, useContext } from 'react';
import { Button } from './button.tsx';

type Leave = (onLeave: () => void) => void;

/** How what is in a dialog leaves it: at once, or after a question where words were typed. */
export const LeaveContext = createContext<Leave>((onLeave) => onLeave());

/** Goes away from a dialog's words without sending them. */
export function LeaveButton(props: { readonly words?: string; readonly onLeave: () => void }) {
  const { words = 'Cancel', onLeave } = props;
  const leave = useContext(LeaveContext);
  return <Button onClick={() => leave(onLeave)}>{words}</Button>;
}
