import { Refusal } from '../contract/failures.ts';
import type { IntakePort, NewGoal, StoredRequest } from '../contract/intake.ts';
import type { Masker } from '../secrets/masker.ts';

/** The fields with people's words; the rest of a body is data and stays as it is. */
const WORDS = ['objective', 'text', 'note', 'result', 'reason'] as const;

/**
 * A person's words go to a provider and stay in the record, so secrets are removed from them
 * first. All else is used as it was given (criteria are run, names are looked for, models asked
 * by theirs), so what holds a secret there is refused.
 */
export function maskedIntake(intake: IntakePort, mask: Masker): IntakePort {
  const masked = (request: StoredRequest): StoredRequest => {
    const body = maskWords(request.body, mask);
    refuseSecrets(body, mask);
    return { ...request, body };
  };
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
  const detail = `${field}: it holds a secret, or what looks like one, and is stored and shown as it is. Give another one; a command reads it from a file, or from an environment variable that a file sets.`;
  throw new Refusal('invalid_request', detail, { field });
}

/**
 * Refuses a secret anywhere in what is stored as it was given. Words are masked before.
 *
 * @throws Refusal invalid_request, naming the field, such as `criteria.0.command`
 */
export function refuseSecrets(value: unknown, mask: Masker, field = ''): void {
  if (typeof value === 'string') refuseSecret(field || 'body', value, mask);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const place = field === '' ? key : `${field}.${key}`;
    refuseSecret(field || 'body', key, mask);
    refuseSecrets(inner, mask, place);
  }
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
