import { randomUUID } from 'node:crypto';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CallService } from '../../mcp/call-service.ts';
import type { CheckHere } from '../../mcp/check-tool.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { onClosedOutput } from '../../process/hang-up.ts';
import { productVersion } from '../../version.ts';
import { ApiProblem, type Client, createClient, ServiceAway } from '../client.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { failureOf } from '../failure.ts';
import { placeOf } from '../mcp-place.ts';
import { findService } from '../service.ts';
import { untilEnded } from '../until-ended.ts';

/** An MCP server on stdin and stdout, for agents that start their tools as processes. */
export async function mcp(): Promise<ExitCode> {
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    onClosedOutput(resolve);
  });
  const place = placeOf(throughPerson, process.cwd());
  const connection = serveStdio(() =>
    createMcpServer(through(findClient), productVersion(), { check: checkHere, place }),
  );
  await Promise.race([closed, untilEnded()]);
  await connection.close();
  return EXIT.complete;
}

/** Asks no service: it is loaded where it is called. */
const checkHere: CheckHere = async ({ repository, base, head, criteria }, signal) => {
  const { runCheck } = await import('../../app/check.ts');
  const asked = {
    ...{ repository: repository ?? '.', base: base ?? null, head: head ?? null, criteria },
    // What lets more pass is a person's to say.
    ...{ change: [], keep: [], setup: [], accept: [], allowDependencies: false },
    ...{ acceptsHeld: false, readsTerms: true, bundle: null },
  };
  try {
    return await runCheck(asked, process.env, () => {}, signal);
  } catch (error) {
    const { what, wayOut } = failureOf(error);
    return { problem: what, wayOut };
  }
};

/** Only what asks a service needs one: it may also be started later. */
const findClient = (): Client => createClient({ ...findService(process.env), role: 'agent' });

/** Where the client works is a person's word, so the token may be of use as it is. */
const throughPerson: CallService = (call) =>
  through(() => createClient(findService(process.env)))(call);

function through(find: () => Client): CallService {
  return async ({ method, path, body = {}, idempotencyKey = randomUUID() }) => {
    try {
      const client = find();
      const answer =
        method === 'GET'
          ? await client.get<unknown>(path)
          : await client.send<unknown>(method, path, body, idempotencyKey);
      return { isOk: true, body: answer };
    } catch (error) {
      if (error instanceof ApiProblem) return { isOk: false, body: error.problem };
      if (!(error instanceof ServiceAway || error instanceof UsageError)) throw error;
      return { isOk: false, body: { code: 'service_away', detail: error.message } };
    }
  };
}
