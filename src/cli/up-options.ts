import type { CommonOptions } from './session.ts';

export interface UpOptions extends CommonOptions {
  readonly detach?: boolean;
  readonly workspace?: readonly string[];
  readonly workers?: number;
}
