import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { callSubject } from '../../../../schema/call-subject.ts';
import {
  type ComparedRow,
  comparedRows,
  type Side,
  wordsOf,
} from '../../../../schema/compared-turns.ts';
import { modelCallsQuery, turnQuery } from '../../api/model-calls.ts';
import { goalQuery, timelineQuery, turnCallsQuery } from '../../api/queries.ts';
import type { Call, Goal, TurnOutline } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { Markdown } from '../../components/markdown/markdown.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { TextField } from '../../components/text-field.tsx';
import { ToolIcon } from '../../components/tool-icon.tsx';
import { callResult } from '../../view/call-text.ts';
import { comparedGoals } from '../../view/compared-goals.ts';
import { compact, dollars, duration } from '../../view/format.ts';
import { toneClass } from '../../view/tone.ts';

interface Place {
  readonly goalId: string;
  /** Null = the newest. */
  readonly turn: number | null;
}

/** Two turns side by side: of this goal, or another goal and one of its turns beside this one. */
export function ComparePage({ goal }: { readonly goal: Goal }) {
  const [search, setSearch] = useSearchParams();
  const other = search.get('with') ?? goal.goalId;
  const right: Place = { goalId: other, turn: numberIn(search, 'right') };
  const left: Place = { goalId: goal.goalId, turn: numberIn(search, 'left') };
  const put = (values: Readonly<Record<string, string>>) =>
    setSearch((before) => ({ ...Object.fromEntries(before), ...values }), { replace: true });
  const lefts = useInfiniteQuery(timelineQuery(left.goalId));
  const rights = useInfiniteQuery(timelineQuery(right.goalId));
  const turns = [
    left.turn ?? lefts.data?.[Math.min(1, lefts.data.length - 1)]?.turn ?? null,
    right.turn ?? rights.data?.[0]?.turn ?? null,
  ] as const;
  return (
    <div className="compare">
      <div className="compare-head">
        <h2>Compare</h2>
        <span className="grow" />
        <TurnField
          label="Left turn"
          timeline={lefts.data ?? []}
          turn={turns[0]}
          onTurn={(left) => put({ left })}
        />
        <span className="text-muted">with</span>
        <TurnField
          label="Right turn"
          timeline={rights.data ?? []}
          turn={turns[1]}
          onTurn={(right) => put({ right })}
        />
        <OtherGoal
          key={other}
          goalId={other}
          onGoal={(goalId) => setSearch({ left: String(turns[0] ?? 1), with: goalId })}
        />
      </div>
      {rights.isError ? (
        <FailedBox
          what={`The goal ${other}`}
          error={rights.error}
          onRetry={() => void rights.refetch()}
        />
      ) : null}
      {other === goal.goalId ? null : <ComparedGoals left={goal} rightId={other} />}
      {turns[0] === null || turns[1] === null ? (
        <p className="note">A turn is compared once it has begun.</p>
      ) : (
        <Compared
          left={{ goalId: left.goalId, turn: turns[0] }}
          right={{ goalId: right.goalId, turn: turns[1] }}
        />
      )}
    </div>
  );
}

function numberIn(search: URLSearchParams, name: string): number | null {
  const text = search.get(name) ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

function TurnField(props: {
  readonly label: string;
  readonly timeline: readonly TurnOutline[];
  readonly turn: number | null;
  readonly onTurn: (turn: string) => void;
}) {
  const { label, timeline, turn, onTurn } = props;
  // The map leaves the oldest of thousands out; the address may name one of them.
  const numbers = timeline.map((one) => one.turn);
  const known = turn === null || numbers.includes(turn) ? numbers : [turn, ...numbers];
  return (
    <select
      className="field"
      aria-label={label}
      value={turn ?? ''}
      onChange={({ target }) => onTurn(target.value)}
    >
      {known.map((number) => (
        <option key={number} value={number}>
          Turn {number}
        </option>
      ))}
    </select>
  );
}

function OtherGoal(props: { readonly goalId: string; readonly onGoal: (goalId: string) => void }) {
  const [text, setText] = useState(props.goalId);
  const isOther = text.trim() !== '' && text.trim() !== props.goalId;
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (isOther) props.onGoal(text.trim());
      }}
    >
      <TextField label="Goal on the right" isBare isCode value={text} onText={setText} />
      <Button type="submit" disabled={!isOther}>
        Compare
      </Button>
    </form>
  );
}

interface Chosen {
  readonly goalId: string;
  readonly turn: number;
}

function Compared({ left, right }: { readonly left: Chosen; readonly right: Chosen }) {
  const sides = [useSide(left), useSide(right)] as const;
  const [missing] = sides.flatMap(({ missing }) => (missing === null ? [] : [missing]));
  if (missing !== undefined) return <p className="note">{missing}</p>;
  const [failed] = sides.flatMap(({ error }) => (error === null ? [] : [error]));
  if (failed !== undefined) {
    const retry = () => {
      for (const side of sides) side.retry();
    };
    return <FailedBox what="The turns" error={failed} onRetry={retry} />;
  }
  const [first, second] = sides.map(({ side }) => side);
  if (!first || !second) {
    return <SkeletonLines label="Loading both turns" widths={[60, 80, 70]} />;
  }
  const both = [
    [left, first],
    [right, second],
  ] as const;
  return (
    <table className="compared">
      <thead>
        <tr>
          <td />
          {both.map(([{ goalId, turn }], at) => (
            <th key={at === 0 ? 'left' : 'right'} scope="col">
              <Link className="link" href={`/goals/${goalId}/turns/${turn}`}>
                Turn {turn}
              </Link>{' '}
              {left.goalId === right.goalId ? null : (
                <span className="mono text-muted">{goalId}</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <FactRows rows={comparedRows(first, second, { compact, dollars, duration })} />
        <tr>
          <th scope="row">Words</th>
          {both.map(([, { turn }], at) => (
            <td key={at === 0 ? 'left' : 'right'}>
              <Markdown text={wordsOf(turn) || '–'} />
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">What it called</th>
          {both.map(([, { calls }], at) => (
            <td key={at === 0 ? 'left' : 'right'}>
              {calls.map((call) => {
                const { text, tone } = callResult(call);
                return (
                  <p className="compared-call" key={call.callId}>
                    <ToolIcon tool={call.tool} />
                    <span className="truncate">
                      <span className="text-muted">{call.tool} </span>
                      <span className="mono">{callSubject(call)}</span>
                    </span>
                    <span className={tone === 'bad' ? toneClass(tone) : 'text-muted'}>
                      {text === 'ok' ? '' : text}
                    </span>
                  </p>
                );
              })}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

const FactRows = ({ rows }: { readonly rows: readonly ComparedRow[] }) =>
  rows.map(({ name, values, differs }) => (
    <tr key={name}>
      <th scope="row">{name}</th>
      <td className={differs ? 'text-strong' : ''}>{values[0]}</td>
      <td className={differs ? 'text-strong' : ''}>{values[1]}</td>
    </tr>
  ));

/** What both came to as a whole. */
function ComparedGoals({ left, rightId }: { readonly left: Goal; readonly rightId: string }) {
  const { data: right } = useQuery(goalQuery(rightId));
  if (right === undefined) return null;
  return (
    <table className="compared" aria-label="Both goals">
      <thead>
        <tr>
          <td />
          {[left, right].map(({ goalId }) => (
            <th key={goalId} scope="col">
              <Link className="link mono" href={`/goals/${goalId}`}>
                {goalId}
              </Link>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <FactRows rows={comparedGoals(left, right)} />
      </tbody>
    </table>
  );
}

interface LoadedSide {
  /** Null while it loads. */
  readonly side: Side<Call> | null;
  /** That there is no such turn. */
  readonly missing: string | null;
  readonly error: Error | null;
  readonly retry: () => void;
}

function useSide({ goalId, turn }: Chosen): LoadedSide {
  const read = useQuery(turnQuery(goalId, turn));
  const state = read.data?.state ?? 'open';
  const calls = useQuery({ ...turnCallsQuery(goalId, { turn, state }), enabled: !!read.data });
  const models = useQuery(modelCallsQuery(goalId, turn));
  const all = [read, calls, models] as const;
  const side =
    read.data && calls.data && models.data
      ? { turn: read.data, calls: calls.data.items.toReversed(), modelCalls: models.data }
      : null;
  return {
    side,
    missing: read.data === null ? `There is no turn ${turn} of ${goalId}.` : null,
    error: all.find((one) => one.error !== null && !one.data)?.error ?? null,
    retry: () => {
      for (const one of all) void one.refetch();
    },
  };
}
