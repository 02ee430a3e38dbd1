import { originOf } from '../../net/shown-url.ts';
import { speaksForPerson } from '../../policy/role-rank.ts';
import type { Application } from '../application.ts';

interface ResponseBody {
  readonly items?: unknown;
  readonly notify?: unknown;
  readonly deliveries?: unknown;
}

/** The path of a webhook often is its credential, so only people see it. */
export function addShownTargets(application: Application): void {
  application.addHook('preSerialization', async ({ principal }, _reply, answer) =>
    principal === null || speaksForPerson(principal.role) ? answer : withoutPaths(answer),
  );
}

/** The answer is a goal, a notification, or a page of either. */
function withoutPaths(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { items, notify, deliveries } = answer as ResponseBody;
  return {
    ...answer,
    ...(Array.isArray(items) ? { items: items.map(withoutPaths) } : {}),
    ...(Array.isArray(notify) ? { notify: notify.map(withoutPath) } : {}),
    ...(Array.isArray(deliveries) ? { deliveries: deliveries.map(withoutPath) } : {}),
  };
}

const withoutPath = (target: { readonly url: string }) => ({
  ...target,
  url: originOf(target.url),
});
