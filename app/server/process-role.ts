import { StartupFault } from './startup-fault.ts'

/** What a process of an installation with several of them does: it serves the sites, or it runs the jobs. */
export const PROCESS_ROLES = ['web', 'jobs'] as const
export type ProcessRole = (typeof PROCESS_ROLES)[number]

const isRole = (word: string | undefined): word is ProcessRole => PROCESS_ROLES.some((role) => role === word)

/** Reads `--only web` or `--only jobs`. @returns undefined if the process does both @throws {StartupFault} with what is wrong */
export function readProcessRole(words: readonly string[]): ProcessRole | undefined {
  if (words.length === 0) return undefined
  const [option, role, ...more] = words
  if (option !== '--only') throw new StartupFault(`start knows --only web and --only jobs, but not ${option}.`)
  if (!isRole(role) || more.length > 0) throw new StartupFault('After --only comes either web or jobs.')
  return role
}
