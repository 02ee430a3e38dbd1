import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { chainQuery } from '../../api/queries.ts';
import type { ChainVerdict } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { PlainButton } from '../../components/button.tsx';
import { IconShieldCheck, IconShieldX } from '../../generated/icons.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { verdictToShow } from '../../view/chain-verdict.ts';
import { plural } from '../../view/format.ts';

/** Whether the ledger is what was written; the whole of it is checked when asked for. */
export function ChainState({ goalId }: { readonly goalId: string }) {
  const toast = useToast();
  const { data: quick } = useQuery(chainQuery(goalId));
  // Kept beside the mutation, which forgets its answer when it is asked again and gets none.
  const [checked, setChecked] = useState<ChainVerdict | null>(null);
  const whole = useAct({
    mutationFn: () =>
      answerOf(api.GET('/v1/goals/{goalId}/ledger/verify', { params: { path: { goalId } } })),
    onSuccess: (verdict) => {
      setChecked(verdict);
      toast(
        verdict.holds
          ? `All ${plural(verdict.rows, 'row')} and outputs hold.`
          : 'The chain is broken.',
      );
    },
    onError: (error) => toast(error.message),
  });
  const verdict = verdictToShow(quick ?? null, checked);
  if (verdict === null) return null;
  const { holds, rows, record, problem, wayOut } = verdict;
  return (
    <PlainButton
      className={`tag chain-state ${holds ? 'tone-ok' : 'tone-bad'}`}
      title={
        problem === undefined
          ? 'Check every row and every stored output now'
          : `${problem}. ${wayOut ?? ''}`
      }
      disabled={whole.isPending}
      onClick={() => whole.mutate()}
    >
      {holds ? (
        <IconShieldCheck size={14} stroke={1.75} aria-hidden="true" />
      ) : (
        <IconShieldX size={14} stroke={1.75} aria-hidden="true" />
      )}
      {whole.isPending
        ? 'Checking…'
        : holds
          ? `Hash chain holds, ${plural(rows, 'row')}`
          : record === undefined
            ? `Chain broken at #${verdict.at ?? '?'}`
            : `Record broken: ${record.kind} ${record.subject}`}
    </PlainButton>
  );
}
