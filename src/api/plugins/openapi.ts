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
import { ledgerRowSchema } from '../../../schema/ledger.ts';
import { problemSchema } from '../../../schema/problem.ts';
import { shownTodoItemSchema } from '../../../schema/todo.ts';
import { callSchema, turnOutlineSchema, turnSchema } from '../../../schema/turn.ts';
import type { Application } from '../application.ts';

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

/** `/openapi.json` and the pages at `/docs`, made from the schemas that validate the requests. */
export function addOpenApi(application: Application, version: string): void {
  application.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Goalkeeper', version, description: 'Durable goals for AI agents' },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    transform: createJsonSchemaTransform({ schemaRegistry }),
    transformObject: createJsonSchemaTransformObject({ schemaRegistry }),
  });
  application.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    transformStaticCSP: (policy) => policy.replace('upgrade-insecure-requests;', ''),
  });
}

export function addOpenApiDocument(application: Application): void {
  application.get('/openapi.json', { schema: { hide: true } }, async () => application.swagger());
}
