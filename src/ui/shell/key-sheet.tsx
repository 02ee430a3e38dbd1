import { Dialog } from '../components/dialog.tsx';

const sheet: readonly (readonly [keys: string, what: string])[] = [
  ['j k', 'next, previous row or turn'],
  ['Enter', 'open'],
  ['x', 'select'],
  ['/', 'search'],
  ['p', 'pause'],
  ['r', 'resume'],
  ['a', 'review approval'],
  ['n', 'start a goal'],
  ['1 – 4', 'tabs of a goal'],
  ['[ ]', 'older, newer turn'],
  ['e', 'expand the turn'],
  ['g g', 'goals'],
  ['g o', 'operations'],
  ['Ctrl K', 'jump to'],
  ['t', 'theme'],
  ['?', 'this sheet'],
  ['Esc', 'close'],
];

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
        {sheet.map(([keys, what]) => (
          <div key={keys}>
            <dt>{what}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <p className="xs t3">Single keys are off while you type and in dialogs.</p>
    </Dialog>
  );
}
