import { originOf } from '../../net/shown-url.ts';
import { speaksForPerson } from '../../policy/role-rank.ts';
import type { Application } from '../application.ts';

interface ResponseBody {
  readonly items?: unknown;
  readonly notify?: unknown;
  /** Of a schedule. */
  readonly start?: unknown;
  readonly deliveries?: unknown;
}

/** The path of a webhook often is its credential, so only people see it. */
export function addShownTargets(application: Application): void {
  application.addHook('preSerialization', async ({ principal }, _reply, answer) =>
    principal === null || speaksForPerson(principal.role) ? answer : withoutPaths(answer),
  );
}

/** The answer is a goal, a schedule, a notification, or a page of one of these. */
function withoutPaths(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { items, notify, start, deliveries } = answer as ResponseBody;
  return {
    ...answer,
    ...(Array.isArray(items) ? { items: items.map(withoutPaths) } : {}),
    ...(start === undefined ? {} : { start: withoutPaths(start) }),
    ...(Array.isArray(notify) ? { notify: notify.map(withoutPath) } : {}),
    ...(Array.isArray(deliveries) ? { deliveries: deliveries.map(withoutPath) } : {}),
  };
}

const withoutPath = (target: { readonly url: string }) => ({
  ...target,
  url: originOf(target.url),
});
