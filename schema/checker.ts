import { z } from 'zod';
import { textSchema, wordSchema } from './text.ts';

/** A program that finds errors in a workspace without running it, as its policy file names it. */
export const checkerSchema = z.strictObject({
  /** A checker with a built-in checker's name replaces the built-in one. */
  name: z.string().regex(/^[\w][\w .-]{0,39}$/, 'letters, digits, blanks, "." and "-", at most 40'),
  /** Run by bash in the workspace; exits with 0 where it finds no error. */
  command: textSchema(2000).describe('"{paths}" stands for what is asked about, or for "."'),
  /** Files by which the project tells it what an error is, relative to the workspace. */
  configuration: z.array(wordSchema(300)).max(20).optional(),
});

export const checkersSchema = z.array(checkerSchema).max(20);

export type CheckerSetting = z.infer<typeof checkerSchema>;
