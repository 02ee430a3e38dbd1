import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
import { approvalSchema } from '../../../schema/approval.ts';
import { trackedCriterionSchema } from '../../../schema/criteria.ts';
import { delegateSchema } from '../../../schema/delegate.ts';
import { goalSchema } from '../../../schema/goal.ts';
import { historyPointSchema, historyTurnSchema } from '../../../schema/history.ts';
import { ledgerRowSchema } from '../../../schema/ledger.ts';
import { problemSchema } from '../../../schema/problem.ts';
import { shownTodoItemSchema } from '../../../schema/todo.ts';
import { callSchema, turnOutlineSchema, turnSchema } from '../../../schema/turn.ts';
import type { Application } from '../application.ts';
import { describeSchema, withKeptText } from './openapi-schemas.ts';

/** Shapes that many answers share are named once in the document. */
const schemaRegistry = z.registry<{ id: string }>();
schemaRegistry.add(goalSchema, { id: 'Goal' });
schemaRegistry.add(ledgerRowSchema, { id: 'LedgerRow' });
schemaRegistry.add(problemSchema, { id: 'Problem' });
schemaRegistry.add(approvalSchema, { id: 'Approval' });
schemaRegistry.add(trackedCriterionSchema, { id: 'TrackedCriterion' });
schemaRegistry.add(delegateSchema, { id: 'Delegate' });
schemaRegistry.add(shownTodoItemSchema, { id: 'TodoItem' });
schemaRegistry.add(turnSchema, { id: 'Turn' });
schemaRegistry.add(turnOutlineSchema, { id: 'TurnOutline' });
schemaRegistry.add(callSchema, { id: 'Call' });
schemaRegistry.add(historyTurnSchema, { id: 'HistoryTurn' });
schemaRegistry.add(historyPointSchema, { id: 'HistoryPoint' });

const described = { schemaRegistry, zodToJsonConfig: { override: describeSchema } };

const transformObject = createJsonSchemaTransformObject(described);

type Document = ReturnType<typeof transformObject>;

interface Body {
  required?: boolean;
  readonly content?: Record<string, { readonly schema?: Shape }>;
}

interface Shape {
  readonly required?: unknown;
  /** Of {@link inForms}. */
  readonly allOf?: readonly { readonly anyOf?: readonly { readonly required?: unknown }[] }[];
}

/** An absent body counts as `{}`, so a body is required only if one of its fields is. */
function withOptionalBodies(document: Document): Document {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path ?? {})) {
      const body = (operation as { requestBody?: Body } | null)?.requestBody;
      const shapes = Object.values(body?.content ?? {});
      const isNeeded = shapes.some(({ schema = {} }) => needsFields(schema));
      if (body !== undefined && !isNeeded) body.required = false;
    }
  }
  return document;
}

/** A composed schema counts as needing fields, because only a plain object lists them. */
const needsFields = (schema: Shape): boolean =>
  schema.required !== undefined ||
  !('properties' in schema) ||
  (schema.allOf ?? []).some(({ anyOf = [{}] }) =>
    anyOf.every(({ required }) => required !== undefined),
  );

/** `/openapi.json` and the pages at `/docs`, made from the schemas that validate the requests. */
export function addOpenApi(application: Application, version: string): void {
  application.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Goalkeeper', version, description: 'Durable goals for AI agents' },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    transform: createJsonSchemaTransform(described),
    transformObject: (document) => withOptionalBodies(withKeptText(transformObject(document))),
  });
  application.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    transformStaticCSP: (policy) => policy.replace('upgrade-insecure-requests;', ''),
  });
}

export function addOpenApiDocument(application: Application): void {
  const options = { config: { isOpen: true }, schema: { hide: true } } as const;
  application.get('/openapi.json', options, async () => application.swagger());
}
