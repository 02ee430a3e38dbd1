import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

/** A modal in the console's look; on phones a sheet from below. Focus goes in and comes back. */
export function Dialog(props: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly isWide?: boolean;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Modal
      opened={props.isOpen}
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
