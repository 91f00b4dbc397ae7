import { readdir } from 'node:fs/promises'

const FOLDER = new URL('./migrations/', import.meta.url)

/** The whole schema of 1.0: the first step of every installation. */
export const BASELINE = '0782-schema.sql'

export interface MigrationStep {
  name: string
  file: URL
}

/** The steps to the newest schema, in order. */
export async function listSteps(): Promise<MigrationStep[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  return names.map((name) => ({ name, file: new URL(name, FOLDER) }))
}
