import type { IntakePort, NewGoal, StoredRequest } from '../contract/intake.ts';
import type { Masker } from '../secrets/masker.ts';

/** What people say; the rest of a body is data, and has to stay as it is. */
const WORDS = ['objective', 'text', 'note', 'result', 'reason'] as const;

/**
 * What a person tells a goal goes to a provider and stays in the record, so a secret in it is taken
 * out first. Criteria stay as they are: the host has to run them.
 */
export function maskedIntake(intake: IntakePort, mask: Masker): IntakePort {
  const masked = (request: StoredRequest): StoredRequest => ({
    ...request,
    body: maskWords(request.body, mask),
  });
  const maskGoal = (goal: NewGoal): NewGoal => ({ ...goal, objective: mask.text(goal.objective) });
  return {
    ...intake,
    startGoal: (request, goal, slot) => intake.startGoal(masked(request), maskGoal(goal), slot),
    reserveRequest: (request) => intake.reserveRequest(masked(request)),
  };
}

function maskWords(body: unknown, mask: Masker): unknown {
  const given = (body ?? {}) as Record<string, unknown>;
  const words = WORDS.flatMap((name) => {
    const value = given[name];
    return typeof value === 'string' ? [[name, mask.text(value)]] : [];
  });
  return { ...given, ...Object.fromEntries(words) };
}
