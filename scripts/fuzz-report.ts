/** What one request led to. */
export interface Told {
  readonly operation: string;
  /** Made to be valid by the document. */
  readonly isValid: boolean;
  readonly status: number;
  readonly code: string | null;
  readonly field: string | null;
  readonly detail: string | null;
  /** The document names this status; all problems stand under `default`. */
  readonly isStated: boolean;
}

const LEAST_ACCEPTED = 0.3;

/**
 * Fields whose value only the service can judge: what a command checks, which ids, branches, turns and
 * cursors exist, whether times fit each other, whether a revision is named twice, whether a rule can say what a
 * call is about. docs/api.md lists them.
 */
const JUDGED_BY_SERVICE =
  /^(?:(?:then\.\d+|start|action\.goal)\.)?(agent|criteri(a\.\d+|on)(\..*)?|cursor|seq|from|budget(\..*)?|requirements.*|removeRequirements.*|notify\.\d+\.url|scope\.base|archive|option|turn|workspace\.from\.turn|always|If-Match|attachments\.\d+|templates\.\d+)$/;

/** What an uploaded file is, its bytes say. */
const isJudgedFile = ({ operation, field }: Told) =>
  operation === 'uploadAttachment' && field === 'body';

const isAccepted = ({ status }: Told) => status < 400;
const isServerError = ({ status }: Told) => status >= 500;
const isUndocumented = ({ isStated, code }: Told) => !isStated && code === null;

/** A valid request that is refused for its shape. */
const isShapeRefused = (told: Told) =>
  told.isValid &&
  (told.code === 'invalid_request' || told.code === 'malformed_json') &&
  !isJudgedFile(told) &&
  !JUDGED_BY_SERVICE.test(told.field ?? '');

/** Prints the counts by operation; false where one of the promises is broken. */
export function tellFuzz(all: readonly Told[]): boolean {
  const operations = [...new Set(all.map(({ operation }) => operation))].sort();
  const table = operations.map((operation) => {
    const own = all.filter((one) => one.operation === operation);
    return { operation, ...countsOf(own) };
  });
  console.table(table);
  console.table([countsOf(all), countsOf(all.filter(({ isValid }) => isValid))]);
  for (const one of all
    .filter((told) => isShapeRefused(told) || isServerError(told))
    .slice(0, 40)) {
    console.log(JSON.stringify(one));
  }
  const valid = all.filter(({ isValid }) => isValid);
  const share = valid.filter(isAccepted).length / valid.length;
  console.log(`${(share * 100).toFixed(1)} % of the valid requests were accepted`);
  const broken = all.filter(
    (told) => isShapeRefused(told) || isServerError(told) || isUndocumented(told),
  );
  return broken.length === 0 && share >= LEAST_ACCEPTED;
}

const countsOf = (all: readonly Told[]) => ({
  sent: all.length,
  accepted: all.filter(isAccepted).length,
  refused: all.filter((told) => told.status >= 400 && told.status < 500).length,
  validRefusedForShape: all.filter(isShapeRefused).length,
  undocumented: all.filter(isUndocumented).length,
  serverErrors: all.filter(isServerError).length,
});
