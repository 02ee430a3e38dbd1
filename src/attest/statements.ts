import { createHash } from 'node:crypto';
import {
  type GoalProofPredicate,
  goalProofPredicateSchema,
  type Statement,
  statementSchema,
} from '../../schema/proof-bundle.ts';
import { decode, parseExactly, type SignedPayload, type Signer, signLine } from './dsse.ts';
import { BundleRefused } from './refused.ts';

/** Described in docs/proof-bundle.md; it names the format and need not lead anywhere. */
export const GOAL_PROOF = 'https://goalkeeper.dev/attestation/goal-proof/v1';
const TEST_RESULT = 'https://in-toto.io/attestation/test-result/v0.1';
const SUMMARY = 'https://slsa.dev/verification_summary/v1';
const STATEMENT = 'https://in-toto.io/Statement/v1';

const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

/** The proven tree, and each file that the proof took from the work. */
export const subjectOf = ({ proof }: GoalProofPredicate): Statement['subject'] => [
  { name: '.', digest: { gitTree: proof.tree } },
  ...proof.files.flatMap(({ path, sha256 }) =>
    sha256 === null ? [] : [{ name: path, digest: { sha256 } }],
  ),
];

/** An in-toto bundle: each line an envelope. The last one names those before it. */
export async function writeBundle(signer: Signer, predicate: GoalProofPredicate, version: string) {
  const main = payloadOf(predicate, GOAL_PROOF, predicate);
  const tests = payloadOf(predicate, TEST_RESULT, testResult(predicate));
  const summary = payloadOf(predicate, SUMMARY, summaryOf(predicate, [main, tests], version));
  const lines = [];
  for (const payload of [main, tests, summary]) lines.push(await signLine(signer, payload));
  return `${lines.join('\n')}\n`;
}

/** sha256 of the first statement, in hex, by which a proof is named: it has no version in it. */
export const digestOf = (predicate: GoalProofPredicate): string =>
  sha256(payloadOf(predicate, GOAL_PROOF, predicate));

function payloadOf(of: GoalProofPredicate, predicateType: string, predicate: object): Buffer {
  const subject = subjectOf(of);
  return Buffer.from(JSON.stringify({ _type: STATEMENT, subject, predicateType, predicate }));
}

/** Each criterion that the host ran in the place of proofs is one test. */
function testResult({ criteria, proof }: GoalProofPredicate) {
  const proven = criteria.filter(({ criterionId }) =>
    proof.criteria.some((one) => one.criterionId === criterionId),
  );
  const passed = proven.filter(({ state }) => state === 'met');
  return {
    result: passed.length === proven.length ? 'PASSED' : 'FAILED',
    configuration: proven.map(({ criterionId, spec }) => ({
      name: criterionId,
      digest: { sha256: sha256(JSON.stringify(spec)) },
    })),
    passedTests: passed.map(({ criterionId }) => criterionId),
    warnedTests: [],
    failedTests: proven.filter((one) => !passed.includes(one)).map((one) => one.criterionId),
  };
}

const summaryOf = (
  { goal, level, proof }: GoalProofPredicate,
  inputs: readonly Buffer[],
  version: string,
) => ({
  verifier: { id: 'https://goalkeeper.dev', version: { goalkeeper: version } },
  timeVerified: goal.completedAt,
  resourceUri: `urn:goalkeeper:goal:${goal.goalId}`,
  policy: { uri: GOAL_PROOF, digest: { sha256: sha256(JSON.stringify(proof.scope)) } },
  inputAttestations: inputs.map((input) => ({ digest: { sha256: sha256(input) } })),
  verificationResult: level === 'verified' ? 'PASSED' : 'FAILED',
  verifiedLevels: [level === 'verified' ? 'GOALKEEPER_VERIFIED' : 'FAILED'],
});

/**
 * The proof, of payloads that are signed: all statements of one export, in their order.
 * @throws BundleRefused
 */
export function readStatements(signed: readonly SignedPayload[]): GoalProofPredicate {
  const [main, ...others] = signed.map(({ payload }, index) => {
    const what = `statement ${index + 1}`;
    return { payload, ...parseExactly(decode(payload), statementSchema, what) };
  });
  const types = [main, ...others].map((one) => one?.predicateType);
  const wanted = [GOAL_PROOF, TEST_RESULT, SUMMARY];
  if (main === undefined || types.join('\n') !== wanted.join('\n')) {
    throw composition(`it holds ${types.join(', ')} instead of ${wanted.join(', ')}`);
  }
  if (new Set(signed.map(({ keyId }) => keyId)).size > 1) {
    throw composition('its statements are signed by several keys');
  }
  const predicate = parsePredicate(main.predicate);
  const subject = JSON.stringify(subjectOf(predicate));
  for (const [index, statement] of [main, ...others].entries()) {
    if (JSON.stringify(statement.subject) === subject) continue;
    throw composition(`the subject of statement ${index + 1} is not what was proven`);
  }
  const [tests, summary] = others;
  const version = (summary?.predicate.verifier as { version?: { goalkeeper?: string } })?.version;
  const rest: [string, object][] = [
    ['its test result', testResult(predicate)],
    [
      'its summary',
      summaryOf(
        predicate,
        [main, tests].flatMap((one) => (one === undefined ? [] : [one.payload])),
        version?.goalkeeper ?? '',
      ),
    ],
  ];
  for (const [index, [name, expected]] of rest.entries()) {
    if (JSON.stringify(others[index]?.predicate) === JSON.stringify(expected)) continue;
    throw composition(`${name} is of another proof`);
  }
  return predicate;
}

function parsePredicate(value: Record<string, unknown>): GoalProofPredicate {
  return parseExactly(JSON.stringify(value), goalProofPredicateSchema, 'the proof');
}

const composition = (problem: string): BundleRefused => new BundleRefused('composition', problem);
