import type { CheckResult, Estimate } from '../../../schema/estimate.ts';
import type { StartGoal } from '../../../schema/goal.ts';
import { estimateText, type Tried } from '../estimate-text.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { resultLook } from '../screen/result-look.ts';
import { print, type Session } from '../session.ts';

/** A check sees the network that the goal's own would. */
const sandboxOf = ({ policy }: StartGoal) =>
  policy?.sandbox === undefined ? {} : { policy: { sandbox: policy.sandbox } };

/** Shows a start's limits; `runsChecks` tries each criterion once. Starts nothing. */
export async function estimate(
  session: Session,
  input: StartGoal,
  runsChecks: boolean,
): Promise<ExitCode> {
  const { client } = session;
  const found = await client.send<Estimate>('POST', '/v1/goals/estimate', input);
  const tried: Tried[] = [];
  for (const criterion of found.criteria) {
    const body = { workspace: input.workspace, criterion, ...sandboxOf(input) };
    const isTried = runsChecks && criterion.kind !== 'review' && criterion.kind !== 'approval';
    const result = isTried ? await client.send<CheckResult>('POST', '/v1/checks', body) : null;
    tried.push({ criterion, result });
  }
  print(session, { ...found, checks: tried }, () => estimateText(found, tried, resultLook().paint));
  return EXIT.complete;
}
