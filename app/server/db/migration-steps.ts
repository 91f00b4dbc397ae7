import { readdir } from 'node:fs/promises'

const FOLDER = new URL('./migrations/', import.meta.url)
const FORMER_FOLDER = new URL('./migrations/before-1.0/', import.meta.url)

/** The whole schema of 1.0: the first step of a new installation. */
const BASELINE = '0782-schema.sql'

export interface MigrationStep {
  name: string
  /** Undefined if the database came to the same schema another way: the step is only recorded. */
  file: URL | undefined
}

/** True if these steps are of an installation from before the baseline, which has to take the former steps first. */
export async function isFormerSchema(applied: ReadonlySet<string>): Promise<boolean> {
  if (applied.has(BASELINE)) return false
  return (await readNames(FORMER_FOLDER)).some((name) => applied.has(name))
}

/** The steps to the newest schema, in order. */
export async function listSteps(isFormer: boolean): Promise<MigrationStep[]> {
  const steps = await listFiles(FOLDER)
  if (!isFormer) return steps
  return [...(await listFiles(FORMER_FOLDER)), ...steps.map((step) => (step.name === BASELINE ? { ...step, file: undefined } : step))]
}

/** Names of all steps there ever were. */
export const listKnownSteps = async (): Promise<string[]> => [...(await readNames(FORMER_FOLDER)), ...(await readNames(FOLDER))]

const listFiles = async (folder: URL): Promise<MigrationStep[]> =>
  (await readNames(folder)).map((name) => ({ name, file: new URL(name, folder) }))

const readNames = async (folder: URL): Promise<string[]> => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
