import type { IntakePort, NewGoal, StoredRequest } from '../contract/intake.ts';
import type { Masker } from '../secrets/masker.ts';

/** The fields with people's words; the rest of a body is data and stays as it is. */
const WORDS = ['objective', 'text', 'note', 'result', 'reason'] as const;

/**
 * A person's words go to a provider and stay in the record, so secrets are removed from them
 * first. Criteria stay as they are, because the host has to run them.
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
  });
  return {
    ...intake,
    startGoal: (request, goal, ...rest) =>
      intake.startGoal(masked(request), maskGoal(goal), ...rest),
    reserveRequest: (request) => intake.reserveRequest(masked(request)),
  };
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

function maskWords(body: unknown, mask: Masker): unknown {
  const given = (body ?? {}) as Record<string, unknown>;
  const words = WORDS.flatMap((name) => {
    const value = given[name];
    return typeof value === 'string' ? [[name, mask.text(value)]] : [];
  });
  return { ...given, ...Object.fromEntries(words), ...maskRequirements(given, mask) };
}
