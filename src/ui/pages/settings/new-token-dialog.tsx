import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { createToken, MakerUnknown } from '../../api/access.ts';
import { ApiError, detailAt } from '../../api/problem.ts';
import { workspacesQuery } from '../../api/queries.ts';
import type { MadeToken } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { LeaveButton } from '../../components/leave.tsx';
import { ChoiceField, TextField } from '../../components/text-field.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useSession } from '../../session/session-context.tsx';
import { day } from '../../view/format.ts';
import { fits } from '../../view/text-length.ts';
import {
  dayChoices,
  emptyTokenForm,
  mayText,
  type Role,
  rolesUpTo,
  type TokenForm,
  tokenBody,
  tokenTwin,
} from '../../view/token-form.ts';

const FORM = 'new-token';
const MOST_LETTERS = 63;

/** Makes a token by one of the viewer's own, and shows it this once. */
export function NewTokenDialog(props: {
  readonly onMade: () => void;
  readonly onClose: () => void;
}) {
  const isOffline = useIsOffline();
  const [form, setForm] = useState(emptyTokenForm);
  const [maker, setMaker] = useState('');
  const create = useAct({
    mutationFn: () => createToken(tokenBody(form), maker.trim()),
    onSuccess: () => {
      setMaker('');
      props.onMade();
    },
  });
  if (create.data !== undefined) return <MadeDialog made={create.data} onClose={props.onClose} />;
  const isReady = form.name.trim() !== '' && fits(form.name, MOST_LETTERS) && maker.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isOffline) create.mutate();
  };
  return (
    <Dialog
      isOpen
      isWide
      onClose={props.onClose}
      title="New token"
      footer={
        <>
          <span className="grow" />
          <LeaveButton onLeave={props.onClose} />
          <Button
            look="primary"
            type="submit"
            form={FORM}
            disabled={!isReady || create.isPending || isOffline}
          >
            {create.isPending ? 'Making…' : 'Make the token'}
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit}>
        <Bounds
          form={form}
          error={create.error}
          onChange={(values) => setForm({ ...form, ...values })}
        />
        <TextField
          label="Your token, which makes it"
          isCode
          input={{ type: 'password', autoComplete: 'off' }}
          value={maker}
          problem={create.error instanceof MakerUnknown ? create.error.message : ''}
          onText={setMaker}
        />
        <p className="text-small text-muted">
          A browser’s session makes none, as they would outlive it. Yours is sent for this and kept
          nowhere.
        </p>
      </form>
      <h3 className="field-label">Same thing from the CLI</h3>
      <div className="settings-secret">
        <pre>{tokenTwin(form)}</pre>
        <CopyButton isSmall text={tokenTwin(form)} words="Copy" />
      </div>
      {unplaced(create.error) === null ? null : (
        <p className="field-error" role="alert">
          {unplaced(create.error)}
        </p>
      )}
    </Dialog>
  );
}

const placed = ['name', 'role', 'workspaces', 'templates', 'expiresInDays'] as const;

/** The service's refusal, at the field that it names. */
function problemAt(error: Error | null, field: (typeof placed)[number]): string {
  if (!(error instanceof ApiError)) return '';
  const { field: named = '' } = error.problem;
  return named === field || named.startsWith(`${field}.`) ? detailAt(error.problem) : '';
}

const unplaced = (error: Error | null): string | null =>
  error === null ||
  error instanceof MakerUnknown ||
  placed.some((field) => problemAt(error, field) !== '')
    ? null
    : error.message;

function Bounds(props: {
  readonly form: TokenForm;
  readonly error: Error | null;
  readonly onChange: (values: Partial<TokenForm>) => void;
}) {
  const { form, error, onChange } = props;
  const { role } = useSession();
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  return (
    <>
      <TextField
        label="Name"
        hint="such as ci"
        isCode
        most={MOST_LETTERS}
        input={{ autoComplete: 'off' }}
        value={form.name}
        problem={problemAt(error, 'name')}
        onText={(name) => onChange({ name })}
      />
      <div className="two-columns settings-columns">
        <ChoiceField
          label="Role"
          value={form.role}
          problem={problemAt(error, 'role')}
          choices={rolesUpTo(role).map((one) => [one, `${one}: ${mayText[one]}`])}
          onText={(chosen) => onChange({ role: chosen as Role })}
        />
        <ChoiceField
          label="Ends"
          value={form.days}
          problem={problemAt(error, 'expiresInDays')}
          choices={dayChoices}
          onText={(days) => onChange({ days })}
        />
      </div>
      <TextField
        label="Workspaces"
        hint="all, or names between commas"
        isCode
        input={{ list: 'token-workspaces', autoComplete: 'off' }}
        value={form.workspaces}
        problem={problemAt(error, 'workspaces')}
        onText={(names) => onChange({ workspaces: names })}
      />
      {form.role === 'agent' ? (
        <TextField
          label="Templates"
          hint="any start, or WORKSPACE/TEMPLATE between commas, as they are now"
          isCode
          input={{ autoComplete: 'off' }}
          value={form.templates}
          problem={problemAt(error, 'templates')}
          onText={(templates) => onChange({ templates })}
        />
      ) : null}
      <datalist id="token-workspaces">
        {workspaces.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** Closed by its button alone: what it shows doesn't come again. */
function MadeDialog({ made, onClose }: { readonly made: MadeToken; readonly onClose: () => void }) {
  return (
    <Dialog
      isOpen
      isWide
      title={`The token ${made.name}`}
      footer={
        <>
          <span className="grow" />
          <Button look="primary" data-autofocus onClick={onClose}>
            I have kept it
          </Button>
        </>
      }
    >
      <p>It is shown this once: the service keeps its hash alone.</p>
      <div className="settings-secret">
        <pre>{made.token}</pre>
        <CopyButton text={made.token} words="Copy" />
      </div>
      <p className="text-small text-muted">
        Role {made.role}, {made.workspaces === null ? 'all workspaces' : made.workspaces.join(', ')}
        {made.templates === null ? '' : `, starts ${made.templates.join(', ')} alone`},{' '}
        {made.expiresAt === null ? 'no end' : `ends ${day(made.expiresAt)}`}.
      </p>
    </Dialog>
  );
}
