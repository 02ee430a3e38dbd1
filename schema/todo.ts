import { z } from 'zod';
import { textSchema, wordSchema } from './text.ts';

export const todoStatusSchema = z.enum(['pending', 'in_progress', 'completed', 'dropped']);

/** 0 = a phase or a plain item; 1 = a sub-step of the phase that follows its sub-steps' parent. */
export const todoLevelSchema = z.union([z.literal(0), z.literal(1)]);

export const evidenceKindSchema = z.enum(['verification', 'diff', 'files', 'manual']);

export const stepEvidenceSchema = z.strictObject({
  kind: evidenceKindSchema,
  summary: textSchema(2000),
  command: wordSchema(1000).optional(),
  paths: z.array(wordSchema(500)).max(100).optional(),
});

export const todoItemSchema = z.strictObject({
  id: z.string(),
  content: z.string(),
  activeForm: z.string().optional(),
  status: todoStatusSchema,
  level: todoLevelSchema,
  /** Why it was dropped; the reason is kept. */
  reason: z.string().optional(),
  result: z.string().optional(),
  /** Ledger seqs that prove it. */
  receipts: z.array(z.int()),
  /** False when only `manual` evidence speaks for it. */
  isVerified: z.boolean().optional(),
  /** The model's words on evidence that only a person can judge. */
  summary: z.string().optional(),
  /** The person who accepted an item that nothing else backs. */
  acceptedBy: z.string().optional(),
});

/** An item as answers show it. */
export const shownTodoItemSchema = todoItemSchema.extend({
  /** For a completed item: the newest write after its receipts. The item stays completed. */
  writtenAfter: z.strictObject({ seq: z.int(), paths: z.array(z.string()) }).optional(),
});

export const shownTodoListSchema = z.strictObject({
  revision: z.int(),
  items: z.array(shownTodoItemSchema),
});

export const todoListSchema = z.strictObject({
  revision: z.int(),
  items: z.array(todoItemSchema),
});

/** The plan as the model last wrote it. */
export const planSchema = z.strictObject({
  revision: z.int(),
  markdown: z.string(),
  writtenAt: z.string(),
});

export type Plan = z.infer<typeof planSchema>;
export type TodoStatus = z.infer<typeof todoStatusSchema>;
export type StepEvidence = z.infer<typeof stepEvidenceSchema>;
export type TodoItem = z.infer<typeof todoItemSchema>;
export type ShownTodoList = z.infer<typeof shownTodoListSchema>;
export type TodoList = z.infer<typeof todoListSchema>;
