import fc from 'fast-check'

/** Sequences that a test tries. `MODEL_RUNS=500` tries as many instead, other ones each time unless `MODEL_SEED` is set. */
const { MODEL_RUNS, MODEL_SEED } = process.env

/**
 * Runs random sequences of commands against the product and a model of it, which is written from what the product promises. On a
 * difference, the shortest sequence that shows it is printed.
 * @param setUp makes a model and something real that agree, for each sequence anew
 */
export async function compareWithModel<Model extends object, Real>(
  setUp: () => Promise<{ model: Model; real: Real }>,
  commands: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[],
  { runs, steps }: { runs: number; steps: number },
): Promise<void> {
  const seed = MODEL_SEED ? { seed: Number(MODEL_SEED) } : MODEL_RUNS ? {} : { seed: 1 }
  const property = fc.asyncProperty(fc.commands(commands, { maxCommands: steps, size: 'max' }), async (sequence) =>
    fc.asyncModelRun(setUp, sequence),
  )
  await fc.assert(property, { ...seed, numRuns: MODEL_RUNS ? Number(MODEL_RUNS) : runs, endOnFailure: false })
}

/** A command whose description says what it was called with. */
export function createCommand<Model extends object, Real>(
  text: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): fc.AsyncCommand<Model, Real> {
  return { check, run, toString: () => text }
}

/** One of those there are, chosen by a number drawn before anybody knew how many there would be. */
export const pick = <T>(from: readonly T[], at: number): T | undefined => (from.length > 0 ? from[at % from.length] : undefined)
