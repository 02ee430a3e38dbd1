import { Modal } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useState } from 'react';

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
