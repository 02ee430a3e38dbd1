import { type FormEvent, useState } from 'react';
import { createTrigger, MakerUnknown } from '../../api/access.ts';
import { ApiError, detailAt } from '../../api/problem.ts';
import type { MadeTrigger } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { LeaveButton } from '../../components/leave.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import type { Problems } from '../../view/start-form.ts';
import {
  emptyTrigger,
  senderWords,
  triggerBody,
  triggerProblems,
} from '../../view/trigger-form.ts';
import { TriggerFields } from './trigger-fields.tsx';

const FORM = 'new-trigger';

/** Makes a trigger by one of the viewer's own tokens, and shows its secret this once. */
export function NewTriggerDialog(props: {
  readonly onMade: () => void;
  readonly onClose: () => void;
}) {
  const isOffline = useIsOffline();
  const [form, setForm] = useState(emptyTrigger);
  const [maker, setMaker] = useState('');
  const [isChecked, setChecked] = useState(false);
  const create = useAct({
    mutationFn: () => createTrigger(triggerBody(form), maker.trim()),
    onSuccess: () => {
      setMaker('');
      props.onMade();
    },
  });
  if (create.data !== undefined) return <MadeDialog made={create.data} onClose={props.onClose} />;
  const problems = triggerProblems(form);
  const isMakerThere = maker.trim() !== '';
  const isReady = Object.keys(problems).length === 0 && isMakerThere;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isReady && !isOffline) create.mutate();
  };
  const refused = refusalOf(create.error);
  const byMaker =
    create.error instanceof MakerUnknown
      ? create.error.message
      : isChecked && !isMakerThere
        ? 'Give the token by whose rights it acts.'
        : '';
  return (
    <Dialog
      isOpen
      isWide
      onClose={props.onClose}
      title="New trigger"
      footer={
        <>
          <span className="grow" />
          <LeaveButton onLeave={props.onClose} />
          <Button look="primary" type="submit" form={FORM} disabled={create.isPending || isOffline}>
            {create.isPending ? 'Making…' : 'Make the trigger'}
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit} noValidate>
        <TriggerFields
          form={form}
          problems={{ ...(isChecked ? problems : {}), ...refused }}
          onChange={(values) => {
            create.reset();
            setForm({ ...form, ...values });
          }}
        />
        <TextField
          label="Your token, by whose rights it acts"
          isCode
          input={{ type: 'password', autoComplete: 'off' }}
          value={maker}
          problem={byMaker}
          onText={setMaker}
        />
        <p className="text-small text-muted">
          A trigger acts as long as this token does, and a browser’s session ends. It is sent for
          this and kept nowhere.
        </p>
      </form>
      {create.error === null || byMaker !== '' || Object.keys(refused).length > 0 ? null : (
        <p className="field-error" role="alert">
          {create.error.message}
        </p>
      )}
    </Dialog>
  );
}

const PLACES = /^(name|kind|secret|filter|parameters|action|mostPerHour)(\.|$)/;

/** The service's refusal, at the field that it names. */
function refusalOf(error: Error | null): Problems {
  if (!(error instanceof ApiError)) return {};
  const { field = '' } = error.problem;
  return PLACES.test(field) ? { [field]: detailAt(error.problem) } : {};
}

/** Closed by its button alone: what it shows doesn't come again. */
function MadeDialog(props: { readonly made: MadeTrigger; readonly onClose: () => void }) {
  const { name, kind, path, secret } = props.made;
  const url = `${location.origin}${path}`;
  return (
    <Dialog
      isOpen
      isWide
      title={`The trigger ${name}`}
      footer={
        <>
          <span className="grow" />
          <Button look="primary" data-autofocus onClick={props.onClose}>
            I have kept it
          </Button>
        </>
      }
    >
      <p>{senderWords[kind]}</p>
      <h3 className="field-label">Address</h3>
      <div className="settings-secret">
        <pre>{url}</pre>
        <CopyButton isSmall text={url} words="Copy" />
      </div>
      <h3 className="field-label">Secret, shown this once</h3>
      <div className="settings-secret">
        <pre>{secret}</pre>
        <CopyButton isSmall text={secret} words="Copy" />
      </div>
    </Dialog>
  );
}
