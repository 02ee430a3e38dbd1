import { useState } from 'react';
import { sealCriterion } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { ApiError } from '../../api/problem.ts';
import type { Sealed } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceField } from '../../components/text-field.tsx';
import { IconLock } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import type { CriterionField, CriterionRow } from '../../view/criterion-form.ts';
import {
  type Archive,
  emptySeal,
  filesText,
  type SealForm,
  type SealKind,
  sealFields,
  sealInput,
  sealKinds,
  sealProblems,
  sealRefusal,
} from '../../view/seal-form.ts';
import { ArchiveField } from './archive-field.tsx';
import { CriterionInput } from './criteria-rows.tsx';

/**
 * Seals a check with its files, and puts its id into the row. What is typed here is kept in no draft:
 * a browser's storage is no place for what is held back.
 */
export function SealHere(props: {
  readonly row: CriterionRow;
  readonly onChange: (row: CriterionRow) => void;
}) {
  const { row } = props;
  const mayAct = useMayAct();
  const isOffline = useIsOffline();
  const [form, setForm] = useState<SealForm>(emptySeal);
  const [archive, setArchive] = useState<Archive | null>(null);
  const [isChecked, setChecked] = useState(false);
  const seal = useAct({
    mutationFn: () => answerOf(sealCriterion(sealInput(form, archive))),
    onSuccess: ({ sealedId }) => {
      setForm(emptySeal);
      setArchive(null);
      setChecked(false);
      props.onChange({ ...row, values: { ...row.values, sealedId } });
    },
  });
  if (!mayAct) return null;
  const id = (row.values.sealedId ?? '').trim();
  if (seal.data !== undefined && seal.data.sealedId === id) return <WasSealed sealed={seal.data} />;
  if (id !== '') return null;
  const refusal = seal.error instanceof ApiError ? sealRefusal(seal.error.problem) : {};
  const own = sealProblems(form);
  const problems = { ...(isChecked ? own : {}), ...refusal };
  const change = (changed: SealForm) => {
    seal.reset();
    setForm(changed);
  };
  const field = (one: CriterionField) => (
    <CriterionInput
      key={one.name}
      field={one}
      label={one.label}
      isBare={false}
      value={form.values[one.name] ?? ''}
      problem={problems[one.name] ?? ''}
      onText={(text) => change({ ...form, values: { ...form.values, [one.name]: text } })}
    />
  );
  const { main, options } = sealFields[form.kind];
  const submit = () => {
    setChecked(true);
    if (Object.keys(own).length === 0) seal.mutate();
  };
  return (
    <fieldset className="seal-here">
      <legend>Or seal one here</legend>
      <p className="text-small text-muted">
        The model learns its name and what it asks for, then met or unmet, nothing else. Command and
        files are encrypted at rest.
      </p>
      <ChoiceField
        label="Kind"
        value={form.kind}
        choices={sealKinds}
        onText={(kind) => change({ ...form, kind: kind as SealKind })}
      />
      {main.map(field)}
      <ArchiveField
        archive={archive}
        problem={problems.archive ?? ''}
        onArchive={(chosen) => {
          seal.reset();
          setArchive(chosen);
        }}
      />
      <details
        className="more-options"
        open={options.some(({ name }) => problems[name]) || undefined}
      >
        <summary>Options</summary>
        <div className="two-columns">{options.map(field)}</div>
      </details>
      {seal.error !== null && Object.keys(refusal).length === 0 ? (
        <p className="field-error" role="alert">
          {seal.error.message}
        </p>
      ) : null}
      <Button isSmall disabled={seal.isPending || isOffline} onClick={submit}>
        <IconLock size={13} stroke={1.75} aria-hidden="true" />
        {seal.isPending ? 'Sealing…' : 'Seal it'}
      </Button>
    </fieldset>
  );
}

/** As the service stored it: digests of the whole and of each file. */
function WasSealed({ sealed }: { readonly sealed: Sealed }) {
  const { name, hint, files, sha256 } = sealed;
  return (
    <div className="sealed-one" role="status">
      <IconLock size={16} stroke={1.75} aria-hidden="true" />
      <div className="grow">
        <b>{name}</b> <span className="text-small text-muted">{filesText(sealed)}</span>
        <p className="mono text-small text-muted">sha256:{sha256}</p>
        <p className="text-small text-muted">
          {hint === 'none' ? 'no hint' : `hint: ${hint}`}, encrypted at rest, erased with the last
          goal that needs it, or after a day if none names it
        </p>
        {files.length === 0 ? null : (
          <details>
            <summary>Its files</summary>
            <ul className="plain-list mono text-small">
              {files.map((file) => (
                <li key={file.path}>
                  {file.path} <span className="text-muted">sha256:{file.sha256}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </div>
  );
}
