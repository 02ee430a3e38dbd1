import {
  type SealInput,
  sealedOfGoalSchema,
  sealedSchema,
  sealInputSchema,
} from '../../../schema/sealed.ts';
import { Refusal } from '../../contract/failures.ts';
import type { SealedFile } from '../../contract/sealed.ts';
import { criterionIssue } from '../../intake/criterion-issue.ts';
import { fieldIssue, type Issue } from '../../intake/issue.ts';
import { modelIssue } from '../../intake/models.ts';
import { ArchiveRefused, readArchive } from '../../sealed/archive.ts';
import { loadShellParser } from '../../shell/read/parse.ts';
import { principalOf, type Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { modelFacts, refuse } from '../intake-facts.ts';
import { readSealedOfGoal, shownSealed } from '../sealed-of-goal.ts';

const seal = operation('sealCriterion', {
  tag: 'goals',
  summary: 'Seal a criterion with its files: a start names it by its id, and no model ever sees it',
  answer: sealedSchema,
  status: 201,
});

const ofGoal = operation('getSealed', {
  tag: 'record',
  summary: 'The sealed criteria of a goal, their files and what their runs printed; for people',
  answer: sealedOfGoalSchema,
});

/** An archive of the largest size in base64, with a criterion beside it. */
const BODY_LIMIT = 12 * 1024 * 1024;
/** Each one keeps up to 16 MB. */
const attempts = { max: 30, timeWindow: '1 minute' };
/** Files of a review are a part of its prompt. */
const MOST_REVIEW_BYTES = 100_000;

export const sealedRoutes: Route<'reader' | 'sealed' | 'models'> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/sealed',
    bodyLimit: BODY_LIMIT,
    config: { ...seal.config, rateLimit: attempts },
    schema: { ...seal.describe, body: sealInputSchema },
    handler: async (request, reply) => {
      const { criterion: check, archive } = request.body;
      const files = archive === undefined ? [] : await filesOf(archive);
      refuse((await checkIssue(check)) ?? filesIssue(check, files));
      if (check.kind === 'review' && check.model !== undefined) {
        refuse(modelIssue(modelFacts(ports.models), 'criterion.model', check.model, null));
      }
      const stored = await ports.sealed.seal({ check, files }, principalOf(request));
      return reply.code(201).send(await shownSealed(ports, stored));
    },
  });

  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/sealed',
    config: ofGoal.config,
    schema: { ...ofGoal.describe, params: goalParams },
    handler: async (request) =>
      readSealedOfGoal(ports, await existingGoal(ports.reader, request.params.goalId)),
  });
};

async function filesOf(archive: string): Promise<SealedFile[]> {
  try {
    return await readArchive(Buffer.from(archive, 'base64'));
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    throw new Refusal('invalid_request', `archive: ${error.message}`, { field: 'archive' });
  }
}

async function checkIssue(check: SealInput['criterion']): Promise<Issue | null> {
  if (check.kind !== 'command') return null;
  const { sealed: _, hint: __, description: ___, setup, ...command } = check;
  const asked = setup === undefined ? command : { ...command, setup, check: 'clean' as const };
  return criterionIssue(asked, 'criterion', await loadShellParser());
}

function filesIssue({ kind }: SealInput['criterion'], files: readonly SealedFile[]): Issue | null {
  if (kind !== 'review') return null;
  const bytes = files.reduce((sum, { content }) => sum + content.byteLength, 0);
  if (bytes > MOST_REVIEW_BYTES) {
    return fieldIssue('archive', `a reviewer reads at most ${MOST_REVIEW_BYTES} bytes: send less.`);
  }
  const binary = files.find(({ content }) => Buffer.from(content).includes(0));
  return binary === undefined
    ? null
    : fieldIssue('archive', `${binary.path} is no text, which a reviewer could read.`);
}
