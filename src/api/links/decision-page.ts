import { visible, visibleLine } from '../../record/foreign-text.ts';
import { inHtml } from '../../webhooks/in-html.ts';
import type { OpenLink } from './judge-link.ts';
import { page } from './page.ts';
import { type ShownText, shownTexts } from './shown-call.ts';

/** Most characters of a note, as the API takes them. */
export const MOST_NOTE = 4000;

interface Asked extends Pick<OpenLink, 'approval' | 'goal' | 'caller' | 'whyNoApproval'> {
  readonly nonce: string;
  readonly link: string;
  readonly expiresAt: number;
}

/** The whole question, and a button for each answer. */
export function askedPage(asked: Asked): string {
  const { nonce, approval, goal, caller, expiresAt } = asked;
  const { data } = approval;
  const { activity } = goal;
  const waitsUntil = activity.on === 'approval' ? activity.until : undefined;
  const call: Facts = [
    ['Goal', `${visibleLine(goal.objective)} (${goal.goalId})`],
    ['Tool', visible(String(data.tool ?? ''))],
  ];
  const around: Facts = [
    ['Asked by', visible(String(data.rule ?? ''))],
    ['If you approve', approval.onApprove],
    ['If you deny', approval.onDeny],
    ['You decide as', caller.name],
    ['Asked at', approval.createdAt],
    ...(waitsUntil === undefined ? [] : [['Counts as denied at', waitsUntil] as const]),
    ['This link works until', new Date(expiresAt).toISOString()],
  ];
  const texts = shownTexts(approval).map(argument);
  const listed = [...call.map(fact), ...texts, ...around.map(fact)];
  const body = `<dl>${listed.join('\n')}</dl>\n${formOf(asked)}`;
  return page({ nonce, title: 'May this call run?', body });
}

type Facts = readonly (readonly [name: string, text: string])[];

const fact = ([name, text]: Facts[number]): string => `<dt>${name}</dt><dd>${inHtml(text)}</dd>`;

/** Texts that take each other's place are marked as a diff marks them. */
function argument({ place, text }: ShownText): string {
  const mark = /oldText$/.test(place) ? '- ' : /newText$/.test(place) ? '+ ' : '';
  const lines = visible(text)
    .split('\n')
    .map((line) => inHtml(`${mark}${line}`));
  return `<dt>${inHtml(visibleLine(place))}</dt><dd><pre>${lines.join('\n')}</pre></dd>`;
}

function formOf({ link, whyNoApproval }: Asked): string {
  const approve = '<button name="decision" value="approve">Approve, once</button>';
  const why = `<p>${inHtml(whyNoApproval ?? '')}</p>`;
  return `<form method="post" action="decide">
<input type="hidden" name="link" value="${inHtml(link)}">
<p><label for="note">A note for the goal (optional)</label>
<textarea id="note" name="note" rows="3" maxlength="${MOST_NOTE}"></textarea></p>
${whyNoApproval === null ? approve : why}
<button name="decision" value="deny">Deny</button>
</form>`;
}
