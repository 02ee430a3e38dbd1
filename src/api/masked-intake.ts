import { Refusal } from '../contract/failures.ts';
import type { IntakePort, NewGoal, StoredRequest } from '../contract/intake.ts';
import type { Masker } from '../secrets/masker.ts';

/** The fields with people's words; the rest of a body is data and stays as it is. */
const WORDS = ['objective', 'text', 'note', 'result', 'reason'] as const;

/**
 * A person's words go to a provider and stay in the record, so secrets are removed from them
 * first. Criteria stay as they are, because the host has to run them. A name that a caller gives is
 * looked for as it was given, so one that holds a secret is refused.
 */
export function maskedIntake(intake: IntakePort, mask: Masker): IntakePort {
  const masked = (request: StoredRequest): StoredRequest => ({
    ...request,
    body: maskWords(request.body, mask),
  });
  const maskGoal = (goal: NewGoal): NewGoal => ({
    ...goal,
    objective: mask.text(goal.objective),
    ...maskRequirements(goal, mask),
    ...(goal.following && { following: goal.following.map(maskGoal) }),
  });
  return {
    ...intake,
    async startGoal(request, goal, ...rest) {
      refuseSecret('threadId', goal.threadId, mask);
      return intake.startGoal(masked(request), maskGoal(goal), ...rest);
    },
    reportCall: (goalId, call) => intake.reportCall(goalId, mask.value(call)),
    async reserveRequest(request) {
      refuseSecret('Idempotency-Key', request.key, mask);
      refuseSecret('url', request.route, mask);
      return intake.reserveRequest(masked(request));
    },
  };
}

/** @throws Refusal invalid_request */
export function refuseSecret(field: string, name: string, mask: Masker): void {
  if (mask.text(name) === name) return;
  const detail = `${field}: it holds a secret, and is stored and shown as it is. Name another one.`;
  throw new Refusal('invalid_request', detail, { field });
}

/** The pieces of an objective are a person's words, too. */
function maskRequirements({ requirements }: { readonly requirements?: unknown }, mask: Masker) {
  if (!Array.isArray(requirements)) return {};
  const masked = requirements.map((one: { text: string }) => ({
    ...one,
    text: mask.text(String(one.text)),
  }));
  return { requirements: masked };
}

export function maskWords(body: unknown, mask: Masker): unknown {
  const given = (body ?? {}) as Record<string, unknown>;
  const words = WORDS.flatMap((name) => {
    const value = given[name];
    return typeof value === 'string' ? [[name, mask.text(value)]] : [];
  });
  const following = given[THEN];
  return {
    ...given,
    ...Object.fromEntries(words),
    ...maskRequirements(given, mask),
    ...(Array.isArray(following) && { [THEN]: following.map((one) => maskWords(one, mask)) }),
  };
}

/** Goals that come after the first one. */
const THEN = 'then';
