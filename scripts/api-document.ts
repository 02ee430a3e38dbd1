import openapi, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { buildServer } from '../src/api/server.ts';
import { createMemory, memoryPorts } from '../test/api/memory-ports.ts';

const HEAD =
  '// Made by "npx tsx scripts/api-types.ts" from the service\'s own OpenAPI document.\n\n';

/** TypeScript of the document that a server without any record serves. */
export async function apiTypes(): Promise<string> {
  const server = buildServer(memoryPorts(createMemory()));
  try {
    const document = (await server.inject('/openapi.json')).json<OpenAPI3>();
    return HEAD + astToString(await openapi(document));
  } finally {
    await server.close();
  }
}
