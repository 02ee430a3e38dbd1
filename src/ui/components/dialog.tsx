import { useState } from 'react';
import { lazyView } from './lazy-view.tsx';
import type { DialogProps } from './modal-dialog.tsx';

// While it loads, it counts as open: a key that is typed for it means nothing to the page behind.
export const loadingDialog = <div role="dialog" aria-busy="true" aria-label="Loading" />;

const ModalDialog = lazyView(
  'The dialog',
  loadingDialog,
  async () => (await import('./modal-dialog.tsx')).ModalDialog,
);

/**
 * A modal in the console's look; on phones a sheet from below. Focus goes in and comes back. Its
 * code is loaded with the first one that opens.
 */
export function Dialog(props: DialogProps) {
  const [isNeeded, setNeeded] = useState(false);
  if (props.isOpen && !isNeeded) setNeeded(true);
  return isNeeded ? <ModalDialog {...props} /> : null;
}
