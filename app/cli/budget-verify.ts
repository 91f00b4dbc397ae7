import { readFile } from 'node:fs/promises'
import { countElection } from '../features/budgets/counting/count.ts'
import type { Outcome } from '../features/budgets/counting/election.ts'
import { type PbFile, PbFault, readPbFile } from '../features/budgets/counting/pb-file.ts'
import { COUNTING_RULES } from '../lib/vocabulary/budgets.ts'
import { StartupFault } from '../server/startup-fault.ts'
import type { CommandCall } from './commands.ts'
import { formatUsage } from './usage.ts'

/** Counts the ballots of a `.pb` file and compares the result with the one it states. @throws {StartupFault} if they differ, or the file cannot be read */
export async function verifyBudget({ words, say }: CommandCall): Promise<void> {
  const [path, flag, asked] = words
  const rule = COUNTING_RULES.find((one) => one === asked)
  if (!path || (flag !== undefined && (flag !== '--rule' || !rule))) throw new StartupFault(`Usage: ${formatUsage('budget-verify')}`)
  const file = await readElection(path)
  const used = rule ?? file.rule
  if (!used) throw new StartupFault(`The file’s rule, ${file.meta.get('rule') ?? 'none'}, is not known. Name one with --rule.`)
  const outcome = countElection(file.election, used)
  for (const line of describeCount(file, outcome)) say(line)
  if (rule || !file.stated) return
  const differing = listDiffering(file.stated, outcome.funded)
  if (differing.length > 0) throw new StartupFault(`The file states another result. They differ in: ${differing.join(', ')}.`)
  say('The file states the same result.')
}

async function readElection(path: string): Promise<PbFile> {
  try {
    return await readPbFile(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof PbFault) throw new StartupFault(`${path} cannot be counted. ${error.message}.`)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new StartupFault(`There is no file ${path}.`)
    throw error
  }
}

function describeCount({ election, names }: PbFile, { rule, funded, cost, votes, satisfied, shares }: Outcome): string[] {
  const { options, ballots, digest, pot, unit } = election
  const format = (minor: number) => (minor / unit).toFixed(minor % unit === 0 ? 0 : 2)
  const positions = new Map(options.map(({ id }, at) => [id, at]))
  return [
    `${ballots.length} ballots, ${options.length} options, a pot of ${format(pot)}. Rule: ${rule}.`,
    `SHA-256 of the ballots: ${digest}`,
    ...(shares ? [`Each voter’s share: ${format(shares.first)} at first, ${format(shares.last)} after ${shares.raised} steps.`] : []),
    `Funded: ${funded.length} for ${format(cost)}.`,
    ...funded.map((id) => {
      const at = positions.get(id) ?? 0
      return `  ${id}  ${names[at] ?? ''}  cost ${format(options[at]?.cost ?? 0)}, votes ${votes[at] ?? 0}`
    }),
    `Voters with at least one funded option: ${satisfied} of ${ballots.length}.`,
  ]
}

const listDiffering = (a: readonly string[], b: readonly string[]): string[] => [...new Set(a).symmetricDifference(new Set(b))]
