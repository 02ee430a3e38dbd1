import type { NewTrigger } from '../../../schema/trigger.ts';
import { fieldIssue, type Issue } from '../issue.ts';
import { judgeDelivery } from './judge-delivery.ts';

/** Why a trigger could never do what it says; null = it can. */
export function triggerIssue(trigger: NewTrigger): Issue | null {
  return secretIssue(trigger) ?? attachmentsIssue(trigger) ?? trialIssue(trigger);
}

/** A trigger is shown, and its goal is stored with each delivery. */
function secretIssue({ action }: NewTrigger): Issue | null {
  const notify: unknown = action.kind === 'start' ? action.goal.notify : [];
  const targets: unknown[] = Array.isArray(notify) ? notify : [];
  const at = targets.findIndex((one) => typeof one === 'object' && one && 'secret' in one);
  if (at < 0) return null;
  const why = 'a trigger holds no secret: name a variable of the workers as secretEnv';
  return fieldIssue(`action.goal.notify.${at}.secret`, why);
}

function attachmentsIssue({ action }: NewTrigger): Issue | null {
  if (action.kind !== 'start' || action.goal.attachments === undefined) return null;
  const why = 'an upload is good for a day: put the file into the workspace';
  return fieldIssue('action.goal.attachments', why);
}

/** Judged with one plain word for each parameter, as the least that a payload can bring. */
function trialIssue({ name, parameters, action }: NewTrigger): Issue | null {
  const words = Object.keys(parameters).map((parameter) => [
    parameter,
    { path: '$.none', default: '1' },
  ]);
  const trial = { name, action, filter: {}, parameters: Object.fromEntries(words) };
  const verdict = judgeDelivery(trial, { event: null, body: {} });
  return verdict.verdict === 'refused' ? fieldIssue(verdict.place, verdict.text) : null;
}
