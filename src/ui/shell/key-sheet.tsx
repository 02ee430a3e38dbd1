import { Dialog } from '../components/dialog.tsx';
import { keySheet } from './key-names.ts';

export function KeySheet(props: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title="Keyboard"
      isWide
      footer={
        <button type="button" className="btn" onClick={props.onClose}>
          Close
        </button>
      }
    >
      <dl className="keys">
        {keySheet.map(({ shown, what }) => (
          <div key={shown}>
            <dt>{what}</dt>
            <dd>
              <kbd>{shown}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <p className="xs t3">Single keys are off while you type and in dialogs.</p>
    </Dialog>
  );
}
