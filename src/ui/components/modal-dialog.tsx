import { Modal } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { leaveControls } from '../shell/keys.ts';

export interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly isWide?: boolean;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** The dialog's own code, with the library's; `dialog.tsx` loads it. */
export function ModalDialog(props: DialogProps) {
  // The library notes where the focus was only as a closed dialog opens.
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => setOpen(props.isOpen), [props.isOpen]);
  useFocusBack(props.isOpen);
  return (
    <Modal
      opened={isOpen}
      onClose={props.onClose}
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
      <div className="dialog-content">{props.children}</div>
      {props.footer === undefined ? null : <footer>{props.footer}</footer>}
    </Modal>
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
