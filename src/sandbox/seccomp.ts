import { type Answer, FIRST_UNKNOWN, type Rule, rulesFor } from './system-calls.ts';

/** Where bwrap reads the filter. */
export const FILTER_DESCRIPTOR = 4;

/** As the kernel's audit names machines. A 64-bit program could make calls of its 32-bit sister. */
const AUDIT: Readonly<Record<string, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

const ENOSYS = 38;
const [LOAD, IS, IS_AT_LEAST, HAS_BITS, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06];
const [NUMBER, MACHINE] = [0, 4];

/** An instruction, and how many it skips where its condition holds, and where not. */
type Step = readonly [code: number, value: number, then?: number, otherwise?: number];

const ALLOW: Step = [RETURN, 0x7fff0000];
const refuse = (error: number): Step => [RETURN, 0x00050000 | error];
const load = (argument: number): Step => [LOAD, 16 + 8 * argument];

/**
 * The filter for commands on this machine, as bwrap reads it; null where nobody knows its calls.
 * Calls of other machines, which have other numbers, and calls from after the table are answered
 * as by a kernel without them.
 */
export function seccompFilter(isInPlace: boolean, arch: string = process.arch): Buffer | null {
  const rules = rulesFor(arch, isInPlace);
  const audit = AUDIT[arch];
  if (rules === null || audit === undefined) return null;
  const steps: Step[] = [
    [LOAD, MACHINE],
    [IS, audit, 1, 0],
    refuse(ENOSYS),
    [LOAD, NUMBER],
    [IS_AT_LEAST, FIRST_UNKNOWN, 0, 1],
    refuse(ENOSYS),
    ...rules.flatMap(stepsOf),
    ALLOW,
  ];
  return Buffer.concat(steps.map(encode));
}

/** Each ends in an answer of its own, so that what follows finds the call's number still loaded. */
function stepsOf({ number, answer }: Rule): Step[] {
  const steps = ofAnswer(answer);
  return [[IS, number, 0, steps.length], ...steps];
}

function ofAnswer(answer: Answer): Step[] {
  const refused = refuse(answer.error);
  switch (answer.kind) {
    case 'never':
      return [refused];
    case 'bits': {
      const bits: Step[] = [load(answer.argument), [HAS_BITS, answer.bits, 0, 1], refused, ALLOW];
      if (answer.where === undefined) return bits;
      const [argument, where] = answer.where;
      return [load(argument), [HAS_BITS, where, 0, bits.length - 1], ...bits];
    }
    case 'none':
      return [load(answer.argument), ...oneOf(answer.values, 1), ALLOW, refused];
    case 'only': {
      const { orElse } = answer;
      const more: Step[] = orElse
        ? [[IS, orElse.value, 0, 2], load(orElse.argument), [IS, orElse.mustBe, 1, 0]]
        : [];
      return [
        load(answer.argument),
        ...oneOf(answer.values, more.length + 1),
        ...more,
        refused,
        ALLOW,
      ];
    }
  }
}

/** Skips so many of the steps that follow where the value is one of these. */
const oneOf = (values: readonly number[], skipped: number): Step[] =>
  values.map((value, at) => [IS, value, values.length - 1 - at + skipped, 0]);

function encode([code, value, then = 0, otherwise = 0]: Step): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(then, 2);
  bytes.writeUInt8(otherwise, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
