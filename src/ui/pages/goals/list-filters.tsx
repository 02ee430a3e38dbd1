import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { modelsQuery, workspacesQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { LeaveButton } from '../../components/leave.tsx';
import { TextField } from '../../components/text-field.tsx';
import { fits } from '../../view/text-length.ts';
import { dates, isNarrowed, type ListState, reasons } from './list-filter.ts';
import { dropView, saveView, useViews } from './saved-views.ts';

type Choices = readonly (readonly [value: string, words: string])[];

interface FilterProps {
  readonly state: ListState;
  /** On a phone they are there only then. */
  readonly isOpen: boolean;
  readonly onChange: (values: Readonly<Record<string, string | null>>) => void;
}

export const FILTERS_ID = 'list-filters';

/** Where, by which model, why it stands still, since when; and views that are kept. */
export function ListFilters({ state, isOpen, onChange }: FilterProps) {
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const { data: models = [] } = useQuery(modelsQuery);
  const names = (all: readonly string[], shown: string): Choices =>
    [...new Set(shown === '' ? all : [...all, shown])].map((name) => [name, name]);
  const each: readonly (readonly [string, string, string, Choices])[] = [
    [
      'workspace',
      'All workspaces',
      state.workspace,
      names(
        workspaces.map(({ name }) => name),
        state.workspace,
      ),
    ],
    [
      'model',
      'All models',
      state.model,
      names(
        models.map(({ model }) => model),
        state.model,
      ),
    ],
    ['reason', 'Any reason', state.reason, reasons],
    ['days', 'Any date', state.days, dates],
  ];
  return (
    <div id={FILTERS_ID} className={isOpen ? 'list-filters open' : 'list-filters'}>
      {each.map(([name, all, value, choices]) => (
        <select
          key={name}
          className="field"
          aria-label={FILTERS[name]}
          value={value}
          onChange={(event) => onChange({ [name]: event.currentTarget.value })}
        >
          <option value="">{all}</option>
          {choices.map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </select>
      ))}
      <Views isNarrowed={isNarrowed(state)} />
    </div>
  );
}

const FILTERS: Readonly<Record<string, string>> = {
  workspace: 'Workspace',
  model: 'Model',
  reason: 'Why it is paused',
  days: 'Date',
};

function Views(props: { readonly isNarrowed: boolean }) {
  const views = useViews();
  const search = useSearch();
  const [, navigate] = useLocation();
  const [isNaming, setNaming] = useState(false);
  const shown = views.find((one) => one.search === search);
  return (
    <>
      {views.length === 0 ? null : (
        <select
          className="field"
          aria-label="Saved views"
          value={shown?.name ?? ''}
          onChange={(event) => {
            const chosen = views.find(({ name }) => name === event.currentTarget.value);
            navigate(
              chosen === undefined || chosen.search === '' ? '/goals' : `/goals?${chosen.search}`,
            );
          }}
        >
          <option value="">Saved views</option>
          {views.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      {shown !== undefined ? (
        <Button look="subtle" onClick={() => dropView(shown.name)}>
          Forget this view
        </Button>
      ) : props.isNarrowed ? (
        <Button look="subtle" onClick={() => setNaming(true)}>
          Save this view…
        </Button>
      ) : null}
      {isNaming ? <NameDialog search={search} onClose={() => setNaming(false)} /> : null}
    </>
  );
}

const FORM = 'name-view';
const MOST_LETTERS = 60;

function NameDialog(props: { readonly search: string; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const isReady = name.trim() !== '' && fits(name, MOST_LETTERS);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    saveView({ name, search: props.search });
    props.onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={props.onClose}
      title="Save this view"
      footer={
        <>
          <span className="grow" />
          <LeaveButton onLeave={props.onClose} />
          <Button look="primary" type="submit" form={FORM} disabled={!isReady}>
            Save
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={save}>
        <TextField
          label="Name"
          most={MOST_LETTERS}
          input={{ autoComplete: 'off' }}
          value={name}
          onText={setName}
        />
        <p className="text-small text-muted">
          Search, filters, order and layout. It stays in this browser.
        </p>
      </form>
    </Dialog>
  );
}
