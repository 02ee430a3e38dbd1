import type { LedgerRow } from '../../../schema/ledger.ts';
import type { GoalProofPredicate } from '../../../schema/proof-bundle.ts';
import { describeCriterion } from '../../record/criterion-text.ts';
import { visible, visibleLine } from '../../record/foreign-text.ts';
import { inHtml } from '../../webhooks/in-html.ts';
import { page } from './page.ts';

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
  readonly expiresAt: number;
}

/** A proof for whoever holds its link: words of the record, no file of the workspace. */
export function sharedProofPage({ nonce, predicate, expiresAt }: Shared): string {
  const { goal, level, proof, requirements, approvals, disputes, ledger, result } = predicate;
  const decided = approvals.filter(({ state }) => state === 'approved' || state === 'denied');
  const body = [
    `<p><pre>${inHtml(visible(goal.objective))}</pre></p>`,
    section('What is claimed', `<pre>${inHtml(visible(result))}</pre>`),
    requirements === null
      ? ''
      : section(
          'Requirements',
          `<p>${text(requirements.statement)}.</p>${table(
            ['', 'asked', 'checked by'],
            requirements.requirements.map((one) => [one.requirementId, one.text, one.by]),
          )}`,
        ),
    section(
      'Criteria',
      table(['', 'criterion', 'before', 'now', 'tests', 'canaries'], criteria(predicate)),
    ),
    names(
      'Files of the work',
      proof.files.map(({ path }) => path),
    ),
    names('Accepted by a person, beyond the scope', proof.accepted),
    names('Delivered as well, and not proven', proof.beyondScope),
    names('Changed files that no check feels', proof.felt?.unfelt ?? []),
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
    section('Receipts', table(['row', 'what ran', 'end', 'output'], receipts(ledger.rows))),
    section('Where it was proven', facts(predicate)),
    section(
      'Check it yourself',
      `<p>This page shows what the record says. Who has the signed file checks it without this service:</p>
<pre>goalkeeper proof verify ${inHtml(goal.goalId)}.intoto.jsonl --key installation.pem --rerun</pre>
<p>The link works until ${new Date(expiresAt).toISOString()}.</p>`,
    ),
  ];
  const title = LEVELS[level];
  return page({ nonce, title, body: body.join('\n'), isProved: level === 'verified' });
}

const text = (given: string): string => inHtml(visibleLine(given));

const section = (title: string, html: string): string =>
  `<section><h2>${title}</h2>\n${html}</section>`;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${text(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${line(heads, 'th')}\n${rows.map((row) => line(row, 'td')).join('\n')}</table>`;
}

function names(title: string, all: readonly string[]): string {
  if (all.length === 0) return '';
  const shown = [...new Set(all)]
    .slice(0, MOST_NAMES)
    .map((name) => `<li><code>${text(name)}</code>`);
  const more = all.length - shown.length;
  const rest = more > 0 ? `<p>And ${more} more.</p>` : '';
  return section(title, `<ul>${shown.join('\n')}</ul>${rest}`);
}

const criteria = ({ criteria: all, proof }: GoalProofPredicate): string[][] =>
  all.map(({ criterionId, spec, baseline, state }) => {
    const run = proof.criteria.find((one) => one.criterionId === criterionId);
    const tests = run?.tests.now == null ? '' : `${run.tests.before ?? '?'} → ${run.tests.now}`;
    const canaries = run?.canaries?.state.replace('_', ' ') ?? '';
    const words = [criterionId, describeCriterion(spec), baseline.replace('_', ' '), state];
    return [...words, tests, canaries];
  });

/** Rows that the proof cites; of the others the file has the hashes alone. */
function receipts(rows: GoalProofPredicate['ledger']['rows']): string[][] {
  const cited = rows.filter((row): row is LedgerRow => 'callId' in row && row.phase === 'settled');
  return cited.map(({ seq, tool, receipt, outcome }) => [
    `#${seq}`,
    receipt?.command ?? tool,
    receipt?.exitCode === undefined ? (outcome ?? '') : `exit ${receipt.exitCode}`,
    receipt?.outputSha256 === undefined
      ? ''
      : `${receipt.outputBytes ?? 0} bytes, SHA-256 ${receipt.outputSha256.slice(0, 16)}`,
  ]);
}

function facts({ goal, proof, isolation, ledger }: GoalProofPredicate): string {
  const told = [
    ['Goal', `${goal.goalId}, ${goal.model}`],
    ['Completed', goal.completedAt],
    ['Tree before', proof.original],
    ['Tree proven', proof.tree],
    ['Isolation', isolation ?? 'not recorded'],
    ['Ledger', `up to row ${ledger.head.seq}, ${ledger.head.hash}`],
    ...(proof.selfChecked ? [['Judge', 'the work includes files that judge it']] : []),
  ];
  return `<dl>${told.map(([name = '', value = '']) => `<dt>${name}</dt><dd>${text(value)}</dd>`).join('\n')}</dl>`;
}
