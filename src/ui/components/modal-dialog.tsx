import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { leaveControls } from '../shell/keys.ts';
import { Button } from './button.tsx';
import { LeaveContext } from './leave.tsx';
import { useTypedWords } from './typed-words.ts';

export interface DialogProps {
  readonly isOpen: boolean;
  /** Absent = it is closed by what it holds alone. */
  readonly onClose?: (() => void) | undefined;
  readonly title: string;
  readonly isWide?: boolean;
  /** Words were typed that stand on another step of it. */
  readonly holdsWords?: boolean;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** The dialog's own code, with the library's; `dialog.tsx` loads it. */
export function ModalDialog(props: DialogProps) {
  // The library notes where the focus was only as a closed dialog opens.
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => setOpen(props.isOpen), [props.isOpen]);
  useFocusBack(props.isOpen);
  const typed = useTypedWords();
  const leaving = useLeaving(() => props.holdsWords === true || typed.hasAny());
  return (
    <Modal
      opened={isOpen}
      onClose={() => {
        if (leaving.asked !== null) leaving.stay();
        else if (props.onClose !== undefined) leaving.ask(props.onClose);
      }}
      title={props.title}
      size={props.isWide === true ? 640 : 520}
      withCloseButton={false}
      centered
      transitionProps={{ duration: 0 }}
      classNames={{
        inner: 'dialog-inner',
        content: 'dialog',
        header: 'dialog-head',
        title: 'dialog-title',
        body: 'dialog-body',
      }}
    >
      <LeaveContext value={leaving.ask}>
        <div className="dialog-content" {...typed.handlers}>
          {props.children}
        </div>
        {leaving.asked !== null ? (
          <LeaveQuestion onStay={leaving.stay} onLeave={leaving.asked} />
        ) : props.footer === undefined ? null : (
          <footer>{props.footer}</footer>
        )}
      </LeaveContext>
    </Modal>
  );
}

/** Typed words are given up only by who says so. */
function useLeaving(holdsWords: () => boolean) {
  const [asked, setAsked] = useState<(() => void) | null>(null);
  const field = useRef<Element | null>(null);
  return {
    asked,
    ask: (onLeave: () => void) => {
      if (!holdsWords()) return onLeave();
      field.current = document.activeElement;
      setAsked(() => () => {
        setAsked(null);
        onLeave();
      });
    },
    stay: () => {
      setAsked(null);
      if (field.current instanceof HTMLElement) field.current.focus();
    },
  };
}

function LeaveQuestion(props: { readonly onStay: () => void; readonly onLeave: () => void }) {
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <footer>
      <span className="grow" role="alert">
        What you typed was not sent.
      </span>
      <Button ref={stay} onClick={props.onStay}>
        Keep typing
      </Button>
      <Button look="danger" onClick={props.onLeave}>
        Discard it
      </Button>
    </footer>
  );
}

/** The library gives the focus back only where a dialog is closed before it is taken away. */
function useFocusBack(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    return () => {
      // Whoever closed it may have led the focus on.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        if (before instanceof HTMLElement && before.isConnected)
          before.focus({ preventScroll: true });
        else leaveControls();
      });
    };
  }, [isOpen]);
}
