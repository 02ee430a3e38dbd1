import { maxHeaderSize } from 'node:http';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ApiPorts } from './application.ts';
import { addAuthentication } from './plugins/authentication.ts';
import { addConsole } from './plugins/console.ts';
import { addHostCheck } from './plugins/host-check.ts';
import { addJsonBody } from './plugins/json-body.ts';
import { addMcp } from './plugins/mcp.ts';
import { addMetrics } from './plugins/metrics.ts';
import { addNoStore } from './plugins/no-store.ts';
import { addOpenApi, addOpenApiDocument } from './plugins/openapi.ts';
import { addProblems, refusalOf, sendProblem } from './plugins/problems.ts';
import { addRateLimit } from './plugins/rate-limit.ts';
import { addSecurityLog } from './plugins/security-log.ts';
import { addShownTargets } from './plugins/shown-targets.ts';
import { routes } from './routes/all.ts';
import { zodValidatorCompiler } from './validation.ts';

/** The largest body: fifty criteria and a long objective fit ten times over. */
const BODY_LIMIT = 1024 * 1024;

/** Milliseconds; who sends a request slower than this holds a connection for nothing. */
const SLOWEST = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
};

/** The whole HTTP surface over its ports. Doesn't listen. */
export function buildServer(ports: ApiPorts, logger?: FastifyBaseLogger): FastifyInstance {
  const application = fastify({
    bodyLimit: BODY_LIMIT,
    // A HEAD of an event stream would never end.
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    http: SLOWEST,
    requestTimeout: SLOWEST.requestTimeout,
    frameworkErrors: (error, request, reply) =>
      void sendProblem({ request, reply, mask: ports.mask }, refusalOf(error)),
    // No part of an address is longer, so that a schema refuses it, with its field.
    routerOptions: { maxParamLength: maxHeaderSize },
    ...(logger === undefined ? { logger: false } : { loggerInstance: logger }),
  }).withTypeProvider<ZodTypeProvider>();
  application.setValidatorCompiler(zodValidatorCompiler);
  // Answers come from the record's own mappers, so validating them again would only cost time.
  application.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  addProblems(application, ports.mask);
  if (ports.settings.isLoopback) addHostCheck(application);
  application.register(cookie);
  addAuthentication(application, ports);
  addSecurityLog(application, ports);
  addMetrics(application, ports.metrics);
  addShownTargets(application);
  addNoStore(application);
  addJsonBody(application);
  application.register(helmet, {
    hsts: false,
    // The service speaks plain HTTP, so an upgraded request would fail.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    crossOriginOpenerPolicy: ports.settings.isLoopback,
  });
  addRateLimit(application);
  addOpenApi(application, ports.settings.version);
  addConsole(application, ports.settings.consoleFolder);
  application.register(async (scope) => {
    const typed = scope.withTypeProvider<ZodTypeProvider>();
    addOpenApiDocument(typed);
    addMcp(typed, ports.settings.version);
    for (const route of routes) route(typed, ports);
  });
  return application as unknown as FastifyInstance;
}
