import type { Goal } from '../../../schema/goal.ts';
import type { GoalProofPredicate } from '../../../schema/proof-bundle.ts';
import { describeCriterion } from '../../record/criterion-text.ts';
import { visible, visibleLine } from '../../record/foreign-text.ts';
import { inHtml } from '../../webhooks/in-html.ts';
import { page } from './page.ts';
import { citedRows, type ReceiptOutputs, type ShownOutput } from './receipt-outputs.ts';

const LEVELS: Readonly<Record<GoalProofPredicate['level'], string>> = {
  verified: 'Verified',
  supported: 'Supported, not verified',
  accepted_by_person: 'Accepted by a person, not verified',
};

/** A list that is longer tells nobody more; the signed file has all of it. */
const MOST_NAMES = 200;

interface Shared {
  readonly nonce: string;
  readonly predicate: GoalProofPredicate;
  readonly outputs: ReceiptOutputs;
  readonly usage: Pick<Goal['usage'], 'costUsd' | 'tokens' | 'turns'>;
  /** Of the link; null = it was downloaded. */
  readonly expiresAt: number | null;
}

/** A proof for whoever has its link or its page: words of the record, and what its runs printed. */
export function sharedProofPage(shared: Shared): string {
  const { nonce, predicate, outputs, usage, expiresAt } = shared;
  const { goal, level, proof, requirements, approvals, disputes, result } = predicate;
  const decided = approvals.filter(({ state }) => state === 'approved' || state === 'denied');
  const body = [
    `<pre>${inHtml(visible(goal.objective))}</pre>`,
    section('What is claimed', `<pre>${inHtml(visible(result))}</pre>`),
    requirements === null
      ? ''
      : section(
          'Requirements',
          `<p>${text(requirements.statement)}.</p>${list(
            requirements.requirements.map((one) => [
              one.requirementId,
              one.text,
              `checked by ${one.by}`,
            ]),
          )}`,
        ),
    section('Criteria', list(criteria(predicate))),
    names(
      'Files of the work',
      proof.files.map(({ path }) => path),
    ),
    names('Accepted by a person, beyond the scope', proof.accepted),
    names('Delivered as well, and not proven', proof.beyondScope),
    felt(proof.felt),
    section(
      'Scope',
      `<p><code>${text(proof.scope.change.join('  ') || 'nothing')}</code></p><p>Set by the ${proof.scope.setBy}.</p>`,
    ),
    names(
      'Decisions of people',
      decided.map((one) =>
        [one.question, one.state, one.decidedBy, one.note].filter(Boolean).join(' · '),
      ),
    ),
    names(
      'Disputes',
      disputes.map((one) => `${one.criterionId}: ${one.state}`),
    ),
    section('Receipts', receipts(predicate, outputs)),
    section('Where it was proven', facts(predicate, usage)),
    section(
      'Check it yourself',
      `<p>This page shows what the record says. Who has the signed file checks it without this service:</p>
<pre>goalkeeper proof verify ${inHtml(goal.goalId)}.intoto.jsonl --key installation.pem --rerun</pre>
${expiresAt === null ? '' : `<p>The link works until ${new Date(expiresAt).toISOString()}.</p>`}`,
    ),
  ];
  const title = LEVELS[level];
  return page({ nonce, title, body: body.join('\n'), isProved: level === 'verified' });
}

const text = (given: string): string => inHtml(visibleLine(given));

const section = (title: string, html: string): string =>
  `<section><h2>${title}</h2>\n${html}</section>`;

/** What has an id, in bold, and below it what is said of it. */
const list = (rows: readonly (readonly [id: string, what: string, said: string])[]): string =>
  `<dl>${rows
    .map(([id, what, said]) => `<dt>${text(id)} ${text(what)}</dt><dd>${text(said)}</dd>`)
    .join('\n')}</dl>`;

function names(title: string, all: readonly string[]): string {
  if (all.length === 0) return '';
  const shown = [...new Set(all)]
    .slice(0, MOST_NAMES)
    .map((name) => `<li><code>${text(name)}</code>`);
  const more = all.length - shown.length;
  const rest = more > 0 ? `<p>And ${more} more.</p>` : '';
  return section(title, `<ul>${shown.join('\n')}</ul>${rest}`);
}

const criteria = ({ criteria: all, proof }: GoalProofPredicate) =>
  all.map(({ criterionId, spec, baseline, state }) => {
    const run = proof.criteria.find((one) => one.criterionId === criterionId);
    const said = [
      `${baseline.replace('_', ' ')} before, ${state} now`,
      ...(run?.tests.now == null ? [] : [`tests ${run.tests.before ?? '?'} → ${run.tests.now}`]),
      ...(run?.canaries === undefined ? [] : [`canaries ${run.canaries.state.replace('_', ' ')}`]),
    ];
    return [criterionId, describeCriterion(spec), said.join(' · ')] as const;
  });

function receipts(predicate: GoalProofPredicate, outputs: ReceiptOutputs): string {
  const shown = citedRows(predicate).map(({ seq, tool, receipt, outcome }) => {
    const end = receipt?.exitCode === undefined ? (outcome ?? '') : `exit ${receipt.exitCode}`;
    const printed =
      receipt?.outputSha256 === undefined
        ? ''
        : ` · ${receipt.outputBytes ?? 0} bytes, SHA-256 ${receipt.outputSha256.slice(0, 16)}`;
    const output = outputs.get(seq);
    return `<dt>#${seq} <code>${text(receipt?.command ?? tool)}</code></dt>
<dd>${text(end + printed)}</dd>${output === undefined ? '' : outputOf(output)}`;
  });
  return shown.length === 0 ? '<p>None.</p>' : `<dl>${shown.join('\n')}</dl>`;
}

/** What shows as nothing is named already. */
function outputOf({ text: shown, leftOut }: ShownOutput): string {
  const [mark, note] =
    leftOut === 0
      ? ['', '']
      : [
          '… ',
          `<dd>The end of its output; ${leftOut.toLocaleString('en')} bytes before it are left out.</dd>`,
        ];
  return `${note}<dd><pre>${inHtml(mark + shown)}</pre></dd>`;
}

/** Each changed file, taken back alone: does a criterion notice? */
function felt(share: GoalProofPredicate['proof']['felt']): string {
  if (share === null || share === undefined) return '';
  const all = share.felt.length + share.unfelt.length;
  if (all === 0) return '';
  const said = `<p>${share.felt.length} of ${all} changed files: put back alone, a criterion fails.</p>`;
  return section('Felt', said) + names('Changed files that no check feels', share.unfelt);
}

function facts(
  { goal, proof, isolation, ledger }: GoalProofPredicate,
  { costUsd, tokens, turns }: Shared['usage'],
): string {
  const told = [
    ['Goal', `${goal.goalId}, ${goal.model}`],
    ['Completed', goal.completedAt],
    ['Tree before', proof.original],
    ['Tree proven', proof.tree],
    ['Isolation', isolation ?? 'not recorded'],
    ['Cost', `$${costUsd}, ${tokens.toLocaleString('en')} tokens, ${turns} turns`],
    ['Ledger', `up to row ${ledger.head.seq}, ${ledger.head.hash}`],
    ...(proof.selfChecked ? [['Judge', 'the work includes files that judge it']] : []),
  ];
  return `<dl>${told.map(([name = '', value = '']) => `<dt>${name}</dt><dd>${text(value)}</dd>`).join('\n')}</dl>`;
}
