import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { keySheet } from './key-names.ts';

export function KeySheet(props: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title="Keyboard"
      isWide
      footer={<Button onClick={props.onClose}>Close</Button>}
    >
      <dl className="key-list">
        {keySheet.map(({ shown, what }) => (
          <div key={shown}>
            <dt>{what}</dt>
            <dd>
              <kbd>{shown}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-small text-muted">Single keys are off while you type and in dialogs.</p>
    </Dialog>
  );
}
